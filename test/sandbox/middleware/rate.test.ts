import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { createRateLimiter } from "../../../sandbox/api/access.ts";
import { ErrorResponse } from "../../../sandbox/api/error-response.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";

test("within any 60 seconds as many calls pass as the limit says, and a rejected one passes when it was told to", async () => {
  const pauses = fc.array(fc.nat({ max: 4000 }), { minLength: 50, maxLength: 1500 });
  await fc.assert(
    fc.asyncProperty(pauses, fc.integer({ min: 1, max: 20 }), async (gaps, limit) => {
      const limiter = createRateLimiter(new MemoryStore(), limit);
      const passed: number[] = [];
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        const taken = await limiter.take("a", now);
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

test("accounts have rate limits of their own", async () => {
  const limiter = createRateLimiter(new MemoryStore(), 1);
  expect([await limiter.take("a", 0), await limiter.take("b", 0)]).toEqual([0, 0]);
  expect(await limiter.take("a", 0)).toBeInstanceOf(ErrorResponse);
});

test("an account may have a limit of its own, and the others have the service's", async () => {
  const limiter = createRateLimiter(new MemoryStore(), { a: 2 });
  expect([limiter.limitOf("a"), limiter.limitOf("b")]).toEqual([2, limits.requestsPerMinute]);
  expect([await limiter.take("a", 0), await limiter.take("b", 0)]).toEqual([1, limits.requestsPerMinute - 1]);
});
