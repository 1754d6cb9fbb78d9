import { describe, expect, test } from "vitest";
import { cancel, day, named, noon, reschedule, scheduledMessage, sentMessage, taking } from "../records.ts";
import type { OpenStore } from "../stores.ts";

export function acceptanceTests(open: OpenStore): void {
  describe("accepting messages", () => {
    test("a message comes back as it was taken, with what it says", async () => {
      const store = await open();
      const message = sentMessage("msg_1", { tags: { a: "ü\u0000'\"" }, cc: ["cc@example.org"] });
      const outcome = await store.accept(taking([message]));
      expect(outcome).toEqual({
        response: { status: 202, body: '{"ids":["msg_1"]}' },
        used: 1,
      });
      expect(await store.message("acc_one", "msg_1")).toEqual(message);
      expect(await store.message("acc_two", "msg_1")).toBeUndefined();
    });

    test("a fingerprint that is computed when it is read is stored, and so is what comes with it", async () => {
      const store = await open();
      class Late {
        readonly scope = "key_one";
        readonly key = "late";
        readonly expiresAt = noon + day;
        get fingerprint(): string {
          return "of a large request";
        }
      }
      const late = { ...taking([sentMessage("msg_1")]), idempotency: new Late() };
      const outcomes = await Promise.all([store.accept(late), store.accept(taking([sentMessage("msg_2")]))]);
      // Two connections of PostgreSQL may overtake each other, here and in the tests below.
      expect(outcomes).toEqual(
        expect.arrayContaining([expect.objectContaining({ used: 1 }), expect.objectContaining({ used: 2 })]),
      );
      expect(await store.recall(new Late(), noon)).toMatchObject({ fingerprint: "of a large request" });
    });

    test("a rejection stores nothing, not even the idempotency record", async () => {
      const store = await open();
      const rejected = { ...taking([], named("order-1")), decide: () => ({ error: "no domain" }) };
      expect(await store.accept(rejected)).toEqual({ error: "no domain" });
      expect(await store.recall(named("order-1"), noon)).toBeUndefined();
      expect(await store.messages({ limit: 10 })).toEqual([]);
      expect(await store.used("acc_one", noon)).toBe(0);
    });

    test("an error while deciding concerns that call alone", async () => {
      const store = await open();
      const failing = () => {
        throw new Error("a mistake of the caller");
      };
      const [first, second, third] = await Promise.allSettled([
        store.accept(taking([sentMessage("msg_1")])),
        store.accept({ ...taking([]), decide: failing }),
        store.accept(taking([sentMessage("msg_3")])),
      ]);
      expect([first?.status, second?.status, third?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
      const kept = (await store.messages({ limit: 10 })).map((message) => message.id);
      expect(kept.toSorted()).toEqual(["msg_1", "msg_3"]);
    });

    test("two identical requests at the same moment give one message and one replay", async () => {
      const store = await open();
      const outcomes = await Promise.all([
        store.accept(taking([sentMessage("msg_1")], named("order-1"))),
        store.accept(taking([sentMessage("msg_2")], named("order-1"))),
      ]);
      const [kept] = await store.messages({ limit: 10 });
      const response = { status: 202, body: JSON.stringify({ ids: [kept?.id] }) };
      expect(outcomes).toHaveLength(2);
      expect(outcomes).toContainEqual({ response, used: 1 });
      expect(outcomes).toContainEqual({ replay: { fingerprint: "print of order-1", response } });
      expect(await store.messages({ limit: 10 })).toHaveLength(1);
      expect(await store.used("acc_one", noon)).toBe(1);
    });

    test("a hundred requests under ten names at the same moment give ten messages", async () => {
      const store = await open();
      const requests = Array.from({ length: 100 }, (_, index) =>
        store.accept(taking([sentMessage(`msg_${index}`)], named(`order-${index % 10}`))),
      );
      const outcomes = await Promise.all(requests);
      expect(outcomes.filter((outcome) => "replay" in outcome)).toHaveLength(90);
      expect(await store.messages({ limit: 200 })).toHaveLength(10);
    });

    test("the newest messages come first, page by page", async () => {
      const store = await open();
      const messages = ["a", "b", "c", "d"].map((id) =>
        sentMessage(id, { accountId: id < "c" ? "acc_one" : "acc_two" }),
      );
      await store.accept(taking(messages));
      const ids = async (query: Parameters<typeof store.messages>[0]) =>
        (await store.messages(query)).map((message) => message.id).join("");
      expect(await ids({ limit: 3 })).toBe("dcb");
      expect(await ids({ limit: 3, before: "b" })).toBe("a");
      expect(await ids({ limit: 3, accountId: "acc_one" })).toBe("ba");
      expect(await ids({ limit: 3, before: "unknown" })).toBe("");
    });

    test("cancelling and rescheduling change a message that still waits, once", async () => {
      const store = await open();
      await store.accept(taking([scheduledMessage("sched_1", noon + day), sentMessage("msg_2")]));
      expect(await reschedule(store, "acc_two", "sched_1", noon + 2 * day)).toBe(false);
      expect(await reschedule(store, "acc_one", "sched_1", noon + 2 * day)).toBe(true);
      expect(await store.nextDue()).toBe(noon + 2_000);
      const canceled = ["sched_1", "sched_1"].map((id) => cancel(store, "acc_one", id));
      expect((await Promise.all(canceled)).sort()).toEqual([false, true]);
      expect(await reschedule(store, "acc_one", "sched_1", noon + day)).toBe(false);
      expect(await cancel(store, "acc_one", "msg_2")).toBe(false);
      expect(await store.message("acc_one", "sched_1")).toMatchObject({
        status: "canceled",
        scheduledAt: noon + 2 * day,
        dueAt: null,
      });
    });
  });
}
