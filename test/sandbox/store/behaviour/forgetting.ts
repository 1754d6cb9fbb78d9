import { describe, expect, test } from "vitest";
import type { LoggedRequest } from "../../../../sandbox/domain/records.ts";
import { day, noon, scheduledMessage, sentMessage, taking } from "../records.ts";
import type { OpenStore } from "../stores.ts";

const call = (requestId: string, at: number, accountId = "acc_one"): LoggedRequest => ({
  ...{ requestId, accountId, method: "POST", path: "/api/v1/emails", status: 422, at },
  ...{ errorType: "invalid_request", fields: ["to"] },
});

export function forgettingTests(open: OpenStore): void {
  describe("forgetting", () => {
    test("a message is forgotten 30 days after it was sent, not before", async () => {
      const store = await open();
      await store.accept(
        taking([sentMessage("a"), sentMessage("later", { createdAt: noon + 1, sentAt: noon + 1 })]),
      );
      await store.forget(noon + 30 * day - 1);
      expect(await store.messages({ limit: 10 })).toHaveLength(2);
      await store.forget(noon + 30 * day);
      expect((await store.messages({ limit: 10 })).map((message) => message.id)).toEqual(["later"]);
      expect(await store.message("acc_one", "a")).toBeUndefined();
    });

    test("the time of a scheduled message counts from when it was sent, and none is forgotten before it is sent", async () => {
      const store = await open();
      const sent = { status: "sent", sentAt: noon + 20 * day, dueAt: null } as const;
      await store.accept(
        taking([
          scheduledMessage("canceled", noon + 10 * day, { status: "canceled", dueAt: null }),
          scheduledMessage("sent", noon + 20 * day, sent),
          scheduledMessage("waiting", noon + day),
        ]),
      );
      const left = async (now: number) => {
        await store.forget(now);
        return (await store.messages({ limit: 10 })).map((message) => message.id).reverse();
      };
      expect(await left(noon + 40 * day - 1)).toEqual(["canceled", "sent", "waiting"]);
      expect(await left(noon + 40 * day)).toEqual(["sent", "waiting"]);
      expect(await left(noon + 50 * day - 1)).toEqual(["sent", "waiting"]);
      expect(await left(noon + 90 * day)).toEqual(["waiting"]);
    });

    test("a call is found by its request id for 30 days", async () => {
      const store = await open();
      store.logRequest(call("req_1", noon));
      store.logRequest(call("req_2", noon + 1, "acc_two"));
      expect(await store.loggedRequest("req_1")).toEqual(call("req_1", noon));
      expect(await store.loggedRequest("req_3")).toBeUndefined();
      await store.forget(noon + 30 * day - 1);
      expect((await store.loggedRequests({ limit: 10 })).map((entry) => entry.requestId)).toEqual([
        "req_2",
        "req_1",
      ]);
      expect(await store.loggedRequests({ limit: 10, before: "req_2" })).toHaveLength(1);
      expect(await store.loggedRequests({ limit: 10, accountId: "acc_two" })).toHaveLength(1);
      await store.forget(noon + 30 * day);
      expect((await store.loggedRequests({ limit: 10 })).map((entry) => entry.requestId)).toEqual(["req_2"]);
    });
  });
}
