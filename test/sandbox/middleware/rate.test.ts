import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { ErrorResponse } from "../../../sandbox/api/error-response.ts";
import { createRateLimiter } from "../../../sandbox/middleware/rate.ts";

test("within any 60 seconds as many calls pass as the limit says, and a rejected one passes when it was told to", () => {
  const pauses = fc.array(fc.nat({ max: 4000 }), { minLength: 50, maxLength: 1500 });
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 20 }), (gaps, limit) => {
      const budget = createRateLimiter(limit);
      const passed: number[] = [];
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        const taken = budget.take("a", now);
        const recent = passed.filter((at) => at > now - 60_000).length;
        if (taken instanceof ErrorResponse) {
          expect(recent).toBe(limit);
          const wait = Number(taken.headers?.["Retry-After"]) * 1000;
          expect(passed.filter((at) => at > now + wait - 60_000).length).toBeLessThan(limit);
        } else {
          expect(taken).toBe(limit - recent - 1);
          passed.push(now);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("accounts have budgets of their own, and a reset fills them", () => {
  const budget = createRateLimiter(1);
  expect([budget.take("a", 0), budget.take("b", 0)]).toEqual([0, 0]);
  expect(budget.take("a", 0)).toBeInstanceOf(ErrorResponse);
  budget.reset();
  expect(budget.take("a", 0)).toBe(0);
});

test("an account may have a limit of its own, and the others have the service's", () => {
  const budget = createRateLimiter({ a: 2 });
  expect([budget.limitOf("a"), budget.limitOf("b")]).toEqual([2, limits.requestsPerMinute]);
  expect([budget.take("a", 0), budget.take("b", 0)]).toEqual([1, limits.requestsPerMinute - 1]);
});
