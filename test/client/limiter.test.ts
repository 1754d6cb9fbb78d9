import { expect, test } from "vitest";
import { type ClientOptions, createClient, createLimiter } from "../../client/src/index.ts";
import { type HeldClock, holdClock } from "./fake-clock.ts";
import { answer, failure } from "./scripted-fetch.ts";
import { key, rig } from "./test-client.ts";

const minute = 60_000;

/** How a service counts requests: how many of an account are counted at a time, and when there is room again. */
type Counting = (counted: number[], now: number) => { used: number[]; roomAt: number };

const sliding: Counting = (counted, now) => {
  const used = counted.filter((time) => time > now - minute);
  return { used, roomAt: (used[0] ?? now) + minute };
};
const byTheMinute: Counting = (counted, now) => {
  const start = now - (now % minute);
  return { used: counted.filter((time) => time >= start), roomAt: start + minute };
};

/**
 * A service that counts a request when it arrives, some time after it was made, and answers later still. The first ones take
 * longest, as their connections are still to be made.
 */
function service(clock: HeldClock, counting: Counting, perMinute: number) {
  let counted: number[] = [];
  const told = { refused: 0 };
  const later = (milliseconds: number) =>
    new Promise<void>((resolve) => clock.setTimeout(resolve, milliseconds));
  const fetch: ClientOptions["fetch"] = async () => {
    await later(counted.length === 0 ? 900 : 50);
    const now = clock.Date.now();
    const { used, roomAt } = counting(counted, now);
    const isFull = used.length >= perMinute;
    if (isFull) told.refused++;
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
  return { fetch, told };
}

function clientOf(counting: Counting, perMinute: number) {
  const clock = holdClock();
  const { fetch, told } = service(clock, counting, perMinute);
  const onEvent = createLimiter({ clock });
  const client = createClient({ key, baseUrl: "https://api.example.com", clock, onEvent, fetch });
  return { client, clock, told };
}

test.for([
  ["in the last minute", sliding],
  ["by the minute", byTheMinute],
] as const)(
  "more calls than a minute has room for are all made, where a service counts %s",
  async ([, counting]) => {
    const { client, clock, told } = clientOf(counting, 120);
    const start = clock.Date.now();
    await clock.until(Promise.all(Array.from({ length: 200 }, () => client.me())));
    expect(clock.Date.now() - start).toBeLessThanOrEqual(62_000);
    expect(told.refused).toBeLessThanOrEqual(1);
  },
);

test("after a refusal one attempt finds out how much room there is, as soon as the service has said", async () => {
  const { client, clock, told } = clientOf(sliding, 10);
  const start = clock.Date.now();
  await clock.until(Promise.all(Array.from({ length: 18 }, () => client.me())));
  expect(clock.Date.now() - start).toBeLessThanOrEqual(64_000);
  // The limiter does not know yet that this account has ten.
  expect(told.refused).toBe(8);
});

test("calls spread over a minute go on as the earlier ones come of age", async () => {
  const { client, clock, told } = clientOf(sliding, 4);
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
  expect(told.refused).toBe(0);
});

test("an attempt that is refused although a minute is over keeps the others back for as long as the service asks", async () => {
  const clock = holdClock();
  const full = answer({}, { "X-RateLimit-Remaining": "0" });
  const refusal = failure(429, "rate_limited", { "Retry-After": "2", "X-RateLimit-Remaining": "0" });
  const { client } = rig([full, refusal, answer({})], {
    clock,
    onEvent: createLimiter({ perMinute: 1, clock }),
  });
  const start = clock.Date.now();
  await clock.until(Promise.all([client.me(), client.me(), client.me()]));
  expect(clock.Date.now() - start).toBeGreaterThanOrEqual(62_000);
  expect(clock.Date.now() - start).toBeLessThanOrEqual(63_000);
});

test("a refusal that does not say for how long keeps attempts back for a minute", async () => {
  const clock = holdClock();
  const { client } = rig([failure(429, "rate_limited"), answer({})], {
    clock,
    onEvent: createLimiter({ clock }),
    attempts: 2,
  });
  const start = clock.Date.now();
  await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(60_000);
});
