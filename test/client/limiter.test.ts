import { expect, test } from "vitest";
import { type ClientOptions, createClient, createLimiter, hooks } from "../../client/src/index.ts";
import {
  createFakeClock,
  type FakeClock,
  failure,
  key,
  message,
  rejection,
  success,
  testClient,
} from "./test-client.ts";

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

test("a 429 send_rejected delays no other request", async () => {
  const clock = createFakeClock();
  const rejected = failure(429, "send_rejected", { "Retry-After": "3600" });
  const { client } = testClient([rejected, success({ lists: [] })], {
    clock,
    onEvent: createLimiter({ clock }),
  });
  await clock.until(rejection(client.emails.send(message)));
  const start = clock.Date.now();
  await clock.until(client.newsletter.lists());
  expect(clock.Date.now() - start).toBe(0);
});

test("a limiter handles malformed headers and long waits", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter({ clock });
  const odd = success({}, { "X-RateLimit-Remaining": "many, many" });
  const { client } = testClient([odd], { clock, onEvent: limiter });
  const start = clock.Date.now();
  for (let count = 0; count < 5; count++) await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(0);
  const rejected = testClient([failure(429, "rate_limited", { "Retry-After": "1e99" })], {
    clock,
    onEvent: limiter,
  });
  await clock.until(rejection(rejected.client.me()));
  await clock.until(rejection(rejected.client.me({ timeout: 5000 })));
  expect(clock.Date.now() - start).toBe(5000);
});

test("attempts that never got a result stop counting", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter({ clock });
  const never = () => new Promise<void>(() => {});
  const stuck = testClient([success({})], { clock, onEvent: hooks(limiter, never), timeout: 1000 });
  for (let count = 0; count < 4; count++) await clock.until(rejection(stuck.client.me()));
  await clock.advance(60_000);
  const start = clock.Date.now();
  const { client } = testClient([success({}, { "X-RateLimit-Remaining": "3" })], { clock, onEvent: limiter });
  for (let count = 0; count < 3; count++) await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(0);
});

test("a limiter delays requests while none remain, even if another program used them", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter({ perMinute: 3, clock });
  const times: number[] = [];
  const onEvent = hooks(limiter, (event) => event.type === "attempt" && times.push(clock.Date.now()));
  const left = ["2", "1", "0", "2", "1", "0", "2"].map((n) => success({}, { "X-RateLimit-Remaining": n }));
  const { client } = testClient(left, { clock, onEvent, timeout: 300_000 });
  const start = clock.Date.now();
  await clock.until(Promise.all(Array.from({ length: 7 }, () => client.me())));
  expect(times.map((time) => time - start)).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000]);
});

test("a limiter waits for Retry-After, and an aborted request stops waiting", async () => {
  const clock = createFakeClock();
  const limiter = createLimiter({ clock });
  const { client, requests } = testClient(
    [failure(429, "rate_limited", { "Retry-After": "30" }), success({})],
    {
      clock,
      onEvent: limiter,
    },
  );
  const start = clock.Date.now();
  const first = client.me();
  await clock.advance(1);
  const controller = new AbortController();
  const second = rejection(client.me({ signal: controller.signal }));
  await clock.advance(1000);
  controller.abort("enough");
  expect(await second).toBe("enough");
  expect(requests).toHaveLength(1);
  await clock.until(first);
  expect(clock.Date.now() - start).toBeGreaterThanOrEqual(30_000);
});
