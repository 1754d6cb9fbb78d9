import { describe, expect, test } from "vitest";
import type { LoggedRequest } from "../../../sandbox/domain/records.ts";
import { createIds } from "../../../sandbox/store/ids.ts";
import { day, noon, scheduledMessage, taking } from "./records.ts";
import { stores } from "./sample.ts";

/** Ids with the same number in them, and something else that differs. */
const nearly = (id: string): string[] => {
  const number = id.slice(-11, -4);
  const [before, after] = [id.slice(0, -11), id.slice(-4)];
  const other = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
  return [`x${id}`, before.replace("_", "-") + number + after, other(before) + number + after]
    .concat(before + number + other(after), number + after)
    .filter((text) => text !== id);
};

const call = (requestId: string): LoggedRequest => ({
  ...{ requestId, accountId: "acc_one", method: "GET", path: "/", status: 200 },
  ...{ errorType: null, fields: [], at: noon },
});

describe.each(stores)("ids: $name", ({ open }) => {
  test("an id that is right but for one character finds, changes and bounds nothing", async () => {
    const store = await open();
    const ids = createIds({ seed: "one", store });
    const made = [ids.scheduled(noon), ids.scheduled(noon)];
    const requests = [ids.request(noon), ids.request(noon)];
    await store.accept(taking(made.map((id) => scheduledMessage(id, noon + day))));
    for (const id of requests) store.logRequest(call(id), store.generation);
    const [id = "", request = ""] = [made[1], requests[1]];
    for (const other of nearly(id)) {
      expect(await store.message("acc_one", other)).toBeUndefined();
      expect(await store.cancel("acc_one", other)).toBe(false);
      expect(await store.reschedule("acc_one", other, noon + 2 * day)).toBe(false);
      expect(await store.change("acc_one", other, () => undefined)).toBeUndefined();
      expect(await store.messages({ limit: 9, before: other })).toEqual([]);
    }
    for (const other of nearly(request)) {
      expect(await store.loggedRequest(other)).toBeUndefined();
      expect(await store.loggedRequests({ limit: 9, before: other })).toEqual([]);
    }
    expect(await store.message("acc_one", id)).toEqual(scheduledMessage(id, noon + day));
    expect(await store.messages({ limit: 9, before: id })).toHaveLength(1);
    expect(await store.loggedRequests({ limit: 9, before: request })).toEqual([call(requests[0] as string)]);
  });
});
