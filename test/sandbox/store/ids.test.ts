import { expect, test } from "vitest";
import { createIds } from "../../../sandbox/api/ids.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { noon } from "./records.ts";
import { openEmpty } from "./stores.ts";

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
