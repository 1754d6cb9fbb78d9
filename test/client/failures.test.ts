import { expect, test } from "vitest";
import {
  attach,
  type BatchMessage,
  createLimiter,
  hooks,
  type SendAllResult,
} from "../../client/src/index.ts";
import { attachFile } from "../../client/src/node.ts";
import { createFakeClock } from "./fake-clock.ts";
import { failure, type Step, success } from "./scripted-fetch.ts";
import { message, rejection, testClient } from "./test-client.ts";

// sendAll, waitFor, attach and the limiter when something fails halfway.

const messages = (count: number): BatchMessage[] => Array.from({ length: count }, () => message);
const batch = (count: number, more = {}): Step =>
  success({
    data: Array.from({ length: count }, (_, index) => ({ id: `sched_${index}`, suppressed: [], ...more })),
  });

test("after resuming, accepted parts stay counted and rejected ones are pending", async () => {
  const first = testClient([failure(422, "invalid_request"), batch(50)]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(150)));
  expect(result.parts.map(({ state }) => state)).toEqual(["rejected", "accepted"]);
  const second = testClient([{ cut: "ECONNRESET" }]);
  const more = await second.until(second.client.emails.batch.sendAll(messages(150), { resume: result }));
  expect(more).toMatchObject({ accepted: 50, error: { name: "ConnectionError" } });
  expect(more.parts.map(({ state }) => state)).toEqual(["pending", "accepted"]);
  expect([more.results[0], more.results[149]]).toMatchObject([{ state: "pending" }, { state: "accepted" }]);
});

test.for([
  ["has too few entries", batch(1)],
  ["has too many", batch(3)],
  ["has none", success({})],
] as const)("a response that %s is a failure, and resuming sends the same part", async ([, step]) => {
  const first = testClient([step]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(2)));
  expect(result.error).toBeInstanceOf(TypeError);
  expect(result.results).toHaveLength(2);
  const second = testClient([batch(2)]);
  const more = await second.until(second.client.emails.batch.sendAll(messages(2), { resume: result }));
  expect(more).toMatchObject({ accepted: 2, error: undefined });
  expect(second.requests[0]?.headers["idempotency-key"]).toBe(first.requests[0]?.headers["idempotency-key"]);
});

test("a new property of an entry does not change the state of a message", async () => {
  const { client, until } = testClient([batch(1, { state: "queued" })]);
  const { results } = await until(client.emails.batch.sendAll(messages(1)));
  expect(results).toEqual([{ state: "accepted", id: "sched_0", suppressed: [] }]);
});

test("onProgress is awaited, and its errors lose no result", async () => {
  const kept: number[] = [];
  const { client, until, requests } = testClient([batch(100), batch(100)]);
  const onProgress = async ({ accepted }: SendAllResult) => {
    kept.push(accepted, requests.length);
    await Promise.reject(new Error("the disk is full"));
  };
  const result = await until(client.emails.batch.sendAll(messages(200), { onProgress }));
  expect(result).toMatchObject({ accepted: 200, error: undefined });
  expect(kept).toEqual([100, 1, 200, 2]);
});

test("a signal stops sendAll, and the result has what was sent", async () => {
  const controller = new AbortController();
  const { client, until, requests } = testClient([batch(100)]);
  const result = await until(
    client.emails.batch.sendAll(messages(300), {
      signal: controller.signal,
      onProgress: () => controller.abort("enough"),
    }),
  );
  expect(result).toMatchObject({ accepted: 100, error: "enough" });
  expect(requests).toHaveLength(1);
});

test("the last lookup of waitFor ends with its timeout", async () => {
  const { client, clock, until } = testClient([
    success({ status: "sent", delivered_at: null }),
    { hang: true },
  ]);
  const start = clock.Date.now();
  await until(rejection(client.emails.waitFor("1", "delivered", { timeout: 10_000 })));
  expect(clock.Date.now() - start).toBe(10_000);
  const short = testClient([{ hang: true }], { timeout: 5000 });
  const from = short.clock.Date.now();
  await short.until(rejection(short.client.emails.waitFor("1", "delivered")));
  expect(short.clock.Date.now() - from).toBe(5000);
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

test("any view of bytes is attached as its bytes, and undefined options are defaults", async () => {
  const numbers = Uint16Array.of(1, 2, 3);
  const content = Buffer.from(numbers.buffer).toString("base64");
  for (const view of [numbers, new DataView(numbers.buffer), Buffer.from(numbers.buffer)])
    expect(await attach(view, { filename: "a" })).toEqual({ filename: "a", content });
  const file = await attachFile(import.meta.filename, { filename: undefined, contentType: undefined });
  expect(file.filename).toBe("failures.test.ts");
});
