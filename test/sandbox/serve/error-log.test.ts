import { expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { StoreUnavailableError } from "../../../sandbox/domain/store.ts";
import { createErrorLog, type LoggedError } from "../../../sandbox/serve/report.ts";

/** A log, and a clock for it in milliseconds. */
function logged() {
  const lines: LoggedError[] = [];
  const clock = { now: 0 };
  const log = createErrorLog(
    (error) => lines.push(error),
    () => clock.now,
  );
  return { lines, clock, log };
}

const full = () => new StoreUnavailableError("database or disk is full");

test("a failure of the store is one line, once a minute, however many requests fail", () => {
  const { lines, clock, log } = logged();
  for (clock.now = 0; clock.now < 120_000; clock.now += 1_000) log(full());
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual({
    message: "the store failed: database or disk is full; requests that need it get 503",
  });
});

test("a database that cannot be reached is one line a minute, whatever each request meets", () => {
  const { lines, clock, log } = logged();
  for (clock.now = 0; clock.now < 120_000; clock.now += 1_000) {
    log(new StoreUnavailableError("connect ECONNREFUSED 127.0.0.1:5432"));
    log(new StoreUnavailableError("Connection terminated unexpectedly"));
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]?.message).toBe(
    "the store failed: connect ECONNREFUSED 127.0.0.1:5432; requests that need it get 503",
  );
});

test("another failure is logged at once", () => {
  const { lines, log } = logged();
  log(full());
  log(new Error("disk I/O error"));
  expect(lines[1]?.message).toContain("disk I/O error");
});

test("what the user can act on has no stack, a mistake of the sandbox has one", () => {
  const { lines, log } = logged();
  log(new UserError("the file is damaged"));
  log(new TypeError("x is not a function"));
  log("text");
  expect(lines[0]).toEqual({ message: "the file is damaged" });
  expect(lines[1]).toMatchObject({
    message: "x is not a function",
    stack: expect.stringContaining("    at "),
  });
  expect(lines[2]).toEqual({ message: "text" });
});
