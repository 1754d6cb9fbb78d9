import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../contract/engine/rate-limiter.ts";

const headers = { limit: "x-limit", remaining: "x-remaining" };

/** A pacer in a time that only waiting moves on. */
function rig(limit = 120) {
  let now = 1_000_000;
  const waits: number[] = [];
  const pacer = createRateLimiter({
    limit,
    headers,
    now: () => now,
    wait: async (milliseconds) => {
      now += milliseconds;
    },
    onWait: (milliseconds) => waits.push(milliseconds),
  });
  const calls: number[] = [];
  const call = async (told: Record<string, string> = {}): Promise<void> => {
    await pacer.acquire();
    calls.push(now);
    pacer.release(told);
  };
  return { pacer, call, calls, waits, pass: (milliseconds: number) => (now += milliseconds) };
}

/** The most calls that any 60 seconds see. */
const densest = (calls: number[]): number =>
  Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + 60_000).length));

describe("a pacer", () => {
  test("never makes more calls in any minute than the limit, and leaves some to others", async () => {
    const { call, calls } = rig();
    for (let count = 0; count < 400; count += 1) await call();
    expect(densest(calls)).toBeLessThan(120);
    expect(densest(calls)).toBeGreaterThan(110);
  });

  test("keeps to the limit that the server tells", async () => {
    const { call, calls } = rig();
    for (let count = 0; count < 60; count += 1) await call({ "x-limit": "10" });
    expect(densest(calls)).toBeLessThan(10);
  });

  test("waits when the server says that hardly anything is left, since others use it up too", async () => {
    const { call, waits } = rig();
    await call({ "x-remaining": "1" });
    await call({ "x-remaining": "100" });
    expect(waits).toEqual([60_000]);
    await call();
    expect(waits).toHaveLength(1);
  });

  test("waits as long as it is told after a refusal", async () => {
    const { pacer, call, waits } = rig();
    await call();
    pacer.pause(17);
    await call();
    expect(waits).toEqual([17_000]);
  });

  test("gives turns in the order in which they are asked for", async () => {
    const { pacer } = rig(5);
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3, 4, 5, 6].map((at) => pacer.acquire().then(() => order.push(at))));
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("hurries nobody whose server has no limit to speak of", async () => {
    const { call, waits } = rig();
    for (let count = 0; count < 500; count += 1) await call({ "x-limit": "100000", "x-remaining": "99000" });
    expect(waits).toEqual([]);
  });
});
