import { expect, test } from "vitest";
import { createIds } from "../../../sandbox/api/ids.ts";
import type { LoggedRequest } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { cancel, day, noon, reschedule, scheduledMessage, taking } from "./records.ts";
import { openEmpty } from "./stores.ts";

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

const some = (seed: string, store: Store, now = noon) => {
  const ids = createIds({ seed, store });
  return [ids.request(now), ids.message(now), ids.scheduled(now), ids.token(now)];
};

test("the same seed and the same requests give the same ids, another seed gives others", () => {
  expect(some("one", new MemoryStore())).toEqual(some("one", new MemoryStore()));
  const others = some("two", new MemoryStore());
  expect(some("one", new MemoryStore()).filter((id) => others.includes(id))).toEqual([]);
});

test("each kind has its own prefix; only scheduled ones have sched_", () => {
  const [request, message, scheduled, token] = some("one", new MemoryStore());
  expect(request).toMatch(/^req_[0-9a-v]{20}$/);
  expect(message).toMatch(/^msg_[0-9a-v]{20}$/);
  expect(scheduled).toMatch(/^sched_[0-9a-v]{20}$/);
  expect(token).toMatch(/^[0-9a-f]{40}$/);
});

test("ids increase with time and number, and none comes twice", () => {
  const ids = createIds({ seed: "one", store: new MemoryStore() });
  const created = Array.from({ length: 25_000 }, (_, index) => ids.message(noon + Math.floor(index / 7)));
  expect(new Set(created).size).toBe(created.length);
  expect([...created].sort()).toEqual(created);
});

test("none comes twice after a restart either, with a frozen clock", async () => {
  const folder = temporaryFolder();
  const first = await openEmpty(folder);
  const before = some("one", first);
  await first.close();
  const after = some("one", await openEmpty(folder));
  expect(after.filter((id) => before.includes(id))).toEqual([]);
});

test.each([
  ["memory", () => openEmpty()],
  ["SQLite", () => openEmpty(temporaryFolder())],
])("%s: an id that is right but for one character finds, changes and bounds nothing", async (_, open) => {
  const store = await open();
  const ids = createIds({ seed: "one", store });
  const made = [ids.scheduled(noon), ids.scheduled(noon)];
  const requests = [ids.request(noon), ids.request(noon)];
  await store.accept(taking(made.map((id) => scheduledMessage(id, noon + day))));
  for (const id of requests) store.logRequest(call(id));
  const [id = "", request = ""] = [made[1], requests[1]];
  for (const other of nearly(id)) {
    expect(await store.message("acc_one", other)).toBeUndefined();
    expect(await cancel(store, "acc_one", other)).toBe(false);
    expect(await reschedule(store, "acc_one", other, noon + 2 * day)).toBe(false);
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
