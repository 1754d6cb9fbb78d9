import { expect, test } from "vitest";
import { createFailures } from "../../../sandbox/control/failures.ts";

test("a failure meets as many calls as it was asked for, in the order of asking", () => {
  const failures = createFailures();
  failures.add({ kind: "cut" }, 2);
  failures.add({ kind: "status", status: 503, body: true }, 1);
  expect(failures.waiting().map(({ count }) => count)).toEqual([2, 1]);
  expect([1, 2, 3, 4].map(() => failures.next()?.kind)).toEqual(["cut", "cut", "status", undefined]);
});

test("a failure for no calls meets none", () => {
  const failures = createFailures();
  failures.add({ kind: "cut" }, 0);
  expect(failures.next()).toBeUndefined();
});

test("what waits can be called off", () => {
  const failures = createFailures();
  failures.add({ kind: "delay", milliseconds: 5 }, 3);
  failures.clear();
  expect(failures.next()).toBeUndefined();
  expect(failures.waiting()).toEqual([]);
});

test("calls that are held up go on when it ends, and nobody is held up any more", async () => {
  const failures = createFailures();
  const held = Array.from({ length: 20 }, () => failures.hold(600_000));
  failures.end();
  await Promise.all([...held, failures.hold(600_000)]);
});
