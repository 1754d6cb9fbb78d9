import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../contract/engine/rate-limiter.ts";

/** A rate limiter with a clock that only waiting advances. */
function rig() {
  let now = 1_000_000;
  const waits: number[] = [];
  const limiter = createRateLimiter({
    now: () => now,
    wait: async (milliseconds) => {
      now += milliseconds;
    },
    onWait: (milliseconds) => waits.push(milliseconds),
  });
  const calls: number[] = [];
  const call = async (told: Record<string, string> = { "x-ratelimit-limit": "120" }, status = 200) => {
    await limiter.around(async () => {
      calls.push(now);
      return { status, headers: told };
    });
  };
  return { limiter, call, calls, waits, pass: (milliseconds: number) => (now += milliseconds) };
}

/** The maximum number of requests within any 60 seconds. */
const densest = (calls: number[]): number =>
  Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + 60_000).length));

describe("a rate limiter", () => {
  test("never exceeds the limit per minute, and leaves some requests to others", async () => {
    const { call, calls } = rig();
    for (let count = 0; count < 400; count += 1) await call();
    expect(densest(calls)).toBeLessThan(120);
    expect(densest(calls)).toBeGreaterThan(110);
  });

  test("uses the limit that the server reports", async () => {
    const { call, calls } = rig();
    for (let count = 0; count < 60; count += 1) await call({ "x-ratelimit-limit": "10" });
    expect(densest(calls)).toBeLessThan(10);
  });

  test("waits when few requests remain, because others use them too", async () => {
    const { call, waits } = rig();
    await call({ "x-ratelimit-remaining": "1" });
    await call({ "x-ratelimit-remaining": "100" });
    expect(waits).toEqual([60_000]);
    await call();
    expect(waits).toHaveLength(1);
  });

  test.each(["", " ", "0x1", "1e0", "-1", "0.5"])(
    "ignores %j as the number of remaining requests",
    async (text) => {
      const { call, waits } = rig();
      await call({ "x-ratelimit-limit": "120", "x-ratelimit-remaining": text });
      await call();
      expect(waits).toEqual([]);
    },
  );

  test("counts a request that fails as ended", async () => {
    const { limiter, call, waits } = rig();
    const lost = limiter.around(() => Promise.reject(new Error("The connection was lost.")));
    await expect(lost).rejects.toThrow("The connection was lost.");
    await call({ "x-ratelimit-remaining": "3" });
    await call();
    expect(waits).toEqual([]);
  });

  test("does not wait if successful responses report no limit", async () => {
    const { call, waits } = rig();
    for (let count = 0; count < 500; count += 1) await call({});
    expect(waits).toEqual([]);
  });

  test("stays within the documented limit after a 429 of a server that reports no limit", async () => {
    const { limiter, call, calls, pass } = rig();
    for (let count = 0; count < 200; count += 1) await call({});
    limiter.pause(60);
    pass(60_000);
    const from = calls.length;
    for (let count = 0; count < 300; count += 1) await call({});
    expect(densest(calls.slice(from))).toBeLessThan(120);
  });

  test("keeps the reported limit if a later response lacks it, and ignores errors without it", async () => {
    const { call, calls } = rig();
    await call({}, 404);
    await call({ "x-ratelimit-limit": "10" });
    for (let count = 0; count < 60; count += 1) await call({}, count % 2 === 0 ? 200 : 404);
    expect(densest(calls)).toBeLessThan(10);
  });

  test("waits as told after a 429", async () => {
    const { limiter, call, waits } = rig();
    await call();
    limiter.pause(17);
    await call();
    expect(waits).toEqual([17_000]);
  });

  test("serves requests in order", async () => {
    const { limiter } = rig();
    const order: number[] = [];
    const all = Array.from({ length: 130 }, (_, at) => at);
    const noted = async (at: number) => {
      order.push(at);
      return { status: 200, headers: {} };
    };
    await Promise.all(all.map((at) => limiter.around(() => noted(at))));
    expect(order).toEqual(all);
  });

  test("does not delay requests if the limit is very high", async () => {
    const { call, waits } = rig();
    for (let count = 0; count < 500; count += 1)
      await call({ "x-ratelimit-limit": "100000", "x-ratelimit-remaining": "99000" });
    expect(waits).toEqual([]);
  });
});
