import { expect, test } from "vitest";
import { operationErrors } from "../../generated/client/errors.ts";
import * as table from "../../generated/client/table.ts";
import { errors } from "../../generated/errors.ts";
import { headers } from "../../generated/headers.ts";
import { lifecycles } from "../../generated/lifecycles.ts";
import { limits } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";

// The table for the client agrees with the other generated files.

test("each operation has its method, path, idempotency and query parameters", () => {
  for (const { id, method, path, idempotent, queryParameters } of Object.values(operations)) {
    const [ownMethod, ownPath, isIdempotent = false, query = []] = new Map<string, unknown>(
      Object.entries(table),
    ).get(id) as table.Row;
    const expected = { method, path, idempotent, query: queryParameters };
    expect({ method: ownMethod, path: ownPath, idempotent: isIdempotent, query }).toEqual(expected);
  }
  const keyed = Object.values(operations).filter(({ idempotent }) => idempotent);
  expect(table.idempotentOperations).toEqual(keyed.map(({ method, path }) => [method, path]));
});

test("the patterns match the retryable errors and no other", () => {
  for (const { status, type, retry } of Object.values(errors))
    for (const one of type === null ? [undefined, "internal", "send_rejected"] : [type]) {
      const said = `${status}.${one}`;
      expect([table.safeToRetry.test(said), table.retryableIfIdempotent.test(said)], said).toEqual([
        retry === "after",
        retry === "backoff",
      ]);
    }
  for (const said of [
    "429.rate_limited_too",
    "429.undefined",
    "1500.x",
    "50.0",
    "504.x",
    "undefined.undefined",
  ])
    expect(table.safeToRetry.test(said) || table.retryableIfIdempotent.test(said), said).toBe(false);
});

test("limits, headers and final states", () => {
  expect([table.batchMessages, table.requestsPerMinute]).toEqual([
    limits.batchMessages,
    limits.requestsPerMinute,
  ]);
  expect(table.idempotencyKeyPattern.test("x".repeat(limits.idempotencyKeyLength))).toBe(true);
  expect(table.idempotencyKeyPattern.test("x".repeat(limits.idempotencyKeyLength + 1))).toBe(false);
  expect(table.monthlyRemainingHeader).toBe(headers.MonthlyRemaining.name.toLowerCase());
  expect(table.finalStates).toEqual(["bounced", "complained", "canceled"]);
  const states: readonly string[] = lifecycles.message.states;
  for (const state of table.finalStates) expect(states).toContain(state);
});

test("each operation has the errors of x-errors", () => {
  for (const { id, errors: ids } of Object.values(operations))
    expect(operationErrors[id].split(" ")).toEqual([...ids]);
});
