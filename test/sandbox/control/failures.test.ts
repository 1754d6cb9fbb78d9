import { expect, test } from "vitest";
import { createFailures } from "../../../sandbox/api/simulated-failure.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { post } from "./test-site.ts";

test("failures apply to as many requests as given, in the order in which they were added", async () => {
  const failures = createFailures(new MemoryStore());
  await failures.add({ kind: "cut" }, 2);
  await failures.add({ kind: "status", status: 503, body: true });
  expect(failures.pending().map(({ requests }) => requests)).toEqual([2, 1]);
  const kinds = [1, 2, 3, 4].map(async () => (await failures.next(post))?.kind);
  expect(await Promise.all(kinds)).toEqual(["cut", "cut", "status", undefined]);
});

test("a failure for no requests has no effect", async () => {
  const failures = createFailures(new MemoryStore());
  await failures.add({ kind: "cut" }, 0);
  expect(await failures.next(post)).toBeUndefined();
});

test("clear ends all failures", async () => {
  const failures = createFailures(new MemoryStore());
  await failures.add({ kind: "delay", milliseconds: 5 }, 3);
  await failures.clear();
  expect(await failures.next(post)).toBeUndefined();
  expect(failures.pending()).toEqual([]);
});

test("remove ends one failure, by its id", async () => {
  const failures = createFailures(new MemoryStore());
  const id = await failures.add({ kind: "cut" }, null);
  await failures.add({ kind: "delay", milliseconds: 5 });
  expect([await failures.remove(id), await failures.remove(id)]).toEqual([true, false]);
  expect(failures.pending().map(({ failure }) => failure.kind)).toEqual(["delay"]);
});

test("end releases all delayed requests, those to come included", async () => {
  const failures = createFailures(new MemoryStore());
  const held = Array.from({ length: 20 }, () => failures.hold(600_000));
  failures.end();
  await Promise.all([...held, failures.hold(600_000)]);
});
