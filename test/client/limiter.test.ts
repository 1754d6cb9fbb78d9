import { expect, test } from "vitest";
import { type ClientOptions, createClient, createLimiter } from "../../client/src/index.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { failure, success } from "./scripted-fetch.ts";
import { key, testClient } from "./test-client.ts";

const minute = 60_000;

/** How a service counts requests: those that count at a time, and when another is allowed. */
type Counting = (counted: number[], now: number) => { used: number[]; roomAt: number };

const sliding: Counting = (counted, now) => {
  const used = counted.filter((time) => time > now - minute);
  return { used, roomAt: (used[0] ?? now) + minute };
};
const byTheMinute: Counting = (counted, now) => {
  const start = now - (now % minute);
  return { used: counted.filter((time) => time >= start), roomAt: start + minute };
};

/** A service that counts a request some time after it was sent, and responds later. The first one is slowest. */
function service(clock: FakeClock, counting: Counting, perMinute: number) {
  let counted: number[] = [];
  const counts = { rejected: 0 };
  const later = (milliseconds: number) =>
    new Promise<void>((resolve) => clock.setTimeout(resolve, milliseconds));
  const fetch: ClientOptions["fetch"] = async () => {
    await later(counted.length === 0 ? 900 : 50);
    const now = clock.Date.now();
    const { used, roomAt } = counting(counted, now);
    const isFull = used.length >= perMinute;
    if (isFull) counts.rejected++;
    else counted = [...used, now];
    const headers: Record<string, string> = {
      "X-RateLimit-Remaining": `${Math.max(0, perMinute - used.length - 1)}`,
      ...(isFull && { "Retry-After": `${Math.ceil((roomAt - now) / 1000)}` }),
    };
    await later(100);
    if (!isFull) return Response.json({}, { headers });
    return Response.json(
      { error: { type: "rate_limited", message: "", request_id: "1" } },
      { status: 429, headers },
    );
  };
  return { fetch, counts };
}

function clientOf(counting: Counting, perMinute: number) {
  const clock = createFakeClock();
  const { fetch, counts } = service(clock, counting, perMinute);
  const onEvent = createLimiter({ clock });
  const client = createClient({ key, baseUrl: "https://api.example.com", clock, onEvent, fetch });
  return { client, clock, counts };
}

test.for([
  ["in a sliding window", sliding],
  ["in a fixed window", byTheMinute],
] as const)("more requests than a minute allows all succeed if a service counts %s", async ([, counting]) => {
  const { client, clock, counts } = clientOf(counting, 120);
  const start = clock.Date.now();
  await clock.until(Promise.all(Array.from({ length: 200 }, () => client.me())));
  expect(clock.Date.now() - start).toBeLessThanOrEqual(62_000);
  expect(counts.rejected).toBeLessThanOrEqual(1);
});

test("after Retry-After one attempt finds out how many requests remain", async () => {
  const { client, clock, counts } = clientOf(sliding, 10);
  const start = clock.Date.now();
  await clock.until(Promise.all(Array.from({ length: 18 }, () => client.me())));
  expect(clock.Date.now() - start).toBeLessThanOrEqual(64_000);
  // The limiter does not know the limit of this account yet.
  expect(counts.rejected).toBe(8);
});

test("requests continue as earlier ones leave the window", async () => {
  const { client, clock, counts } = clientOf(sliding, 4);
  const onTime: number[] = [];
  const start = clock.Date.now();
  for (let count = 0; count < 4; count++) {
    await clock.until(client.me());
    await clock.advance(10_000);
  }
  for (let count = 0; count < 2; count++) {
    await clock.until(client.me());
    onTime.push(Math.round((clock.Date.now() - start) / 1000));
  }
  expect(onTime).toEqual([61, 71]);
  expect(counts.rejected).toBe(0);
});

test("a 429 after a minute delays the other attempts by its Retry-After", async () => {
  const clock = createFakeClock();
  const full = success({}, { "X-RateLimit-Remaining": "0" });
  const rejected = failure(429, "rate_limited", { "Retry-After": "2", "X-RateLimit-Remaining": "0" });
  const { client } = testClient([full, rejected, success({})], {
    clock,
    onEvent: createLimiter({ perMinute: 1, clock }),
  });
  const start = clock.Date.now();
  await clock.until(Promise.all([client.me(), client.me(), client.me()]));
  expect(clock.Date.now() - start).toBeGreaterThanOrEqual(62_000);
  expect(clock.Date.now() - start).toBeLessThanOrEqual(63_000);
});

test("a 429 without Retry-After delays attempts by a minute", async () => {
  const clock = createFakeClock();
  const { client } = testClient([failure(429, "rate_limited"), success({})], {
    clock,
    onEvent: createLimiter({ clock }),
    attempts: 2,
  });
  const start = clock.Date.now();
  await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(60_000);
});
