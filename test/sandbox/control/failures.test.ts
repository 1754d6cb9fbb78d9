import { expect, test } from "vitest";
import { createFailures } from "../../../sandbox/api/failures.ts";
import { post } from "./test-site.ts";

test("failures apply to as many requests as given, in the order in which they were added", () => {
  const failures = createFailures();
  failures.add({ kind: "cut" }, 2);
  failures.add({ kind: "status", status: 503, body: true });
  expect(failures.pending().map(({ requests }) => requests)).toEqual([2, 1]);
  expect([1, 2, 3, 4].map(() => failures.next(post)?.kind)).toEqual(["cut", "cut", "status", undefined]);
});

test("a failure for no requests has no effect", () => {
  const failures = createFailures();
  failures.add({ kind: "cut" }, 0);
  expect(failures.next(post)).toBeUndefined();
});

test("clear ends all failures", () => {
  const failures = createFailures();
  failures.add({ kind: "delay", milliseconds: 5 }, 3);
  failures.clear();
  expect(failures.next(post)).toBeUndefined();
  expect(failures.pending()).toEqual([]);
});

test("remove ends one failure, by its id", () => {
  const failures = createFailures();
  const id = failures.add({ kind: "cut" }, null);
  failures.add({ kind: "delay", milliseconds: 5 });
  expect([failures.remove(id), failures.remove(id)]).toEqual([true, false]);
  expect(failures.pending().map(({ failure }) => failure.kind)).toEqual(["delay"]);
});

test("end releases all delayed requests, those to come included", async () => {
  const failures = createFailures();
  const held = Array.from({ length: 20 }, () => failures.hold(600_000));
  failures.end();
  await Promise.all([...held, failures.hold(600_000)]);
});
