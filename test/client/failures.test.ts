import { expect, test } from "vitest";
import {
  attach,
  type BatchMessage,
  createLimiter,
  hooks,
  type SendAllResult,
} from "../../client/src/index.ts";
import { attachFile } from "../../client/src/node.ts";
import { holdClock } from "./fake-clock.ts";
import { answer, failure, type Step } from "./scripted-fetch.ts";
import { message, rejection, rig } from "./test-client.ts";

// The conveniences when something goes wrong in the middle.

const messages = (count: number): BatchMessage[] => Array.from({ length: count }, () => message);
const batch = (count: number, more = {}): Step =>
  answer({
    data: Array.from({ length: count }, (_, index) => ({ id: `sched_${index}`, suppressed: [], ...more })),
  });

test("what was accepted stays counted when going on fails at once, and what was refused is open again", async () => {
  const first = rig([failure(422, "invalid_request"), batch(50)]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(150)));
  expect(result.parts.map(({ state }) => state)).toEqual(["rejected", "accepted"]);
  const second = rig([{ cut: "ECONNRESET" }]);
  const more = await second.until(second.client.emails.batch.sendAll(messages(150), { resume: result }));
  expect(more).toMatchObject({ accepted: 50, error: { name: "ConnectionError" } });
  expect(more.parts.map(({ state }) => state)).toEqual(["pending", "accepted"]);
  expect([more.results[0], more.results[149]]).toMatchObject([{ state: "pending" }, { state: "accepted" }]);
});

test.for([
  ["has too few entries", batch(1)],
  ["has too many", batch(3)],
  ["has none", answer({})],
] as const)("an answer that %s is a failure, and going on repeats the same work", async ([, step]) => {
  const first = rig([step]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(2)));
  expect(result.error).toBeInstanceOf(TypeError);
  expect(result.results).toHaveLength(2);
  const second = rig([batch(2)]);
  const more = await second.until(second.client.emails.batch.sendAll(messages(2), { resume: result }));
  expect(more).toMatchObject({ accepted: 2, error: undefined });
  expect(second.made[0]?.headers["idempotency-key"]).toBe(first.made[0]?.headers["idempotency-key"]);
});

test("a new field of an answer does not pass for the state of a message", async () => {
  const { client, until } = rig([batch(1, { state: "queued" })]);
  const { results } = await until(client.emails.batch.sendAll(messages(1)));
  expect(results).toEqual([{ state: "accepted", id: "sched_0", suppressed: [] }]);
});

test("progress is waited for, and what it throws loses no result", async () => {
  const kept: number[] = [];
  const { client, until, made } = rig([batch(100), batch(100)]);
  const onProgress = async ({ accepted }: SendAllResult) => {
    kept.push(accepted, made.length);
    await Promise.reject(new Error("the disk is full"));
  };
  const result = await until(client.emails.batch.sendAll(messages(200), { onProgress }));
  expect(result).toMatchObject({ accepted: 200, error: undefined });
  expect(kept).toEqual([100, 1, 200, 2]);
});

test("a signal stops the sending; what was done is told", async () => {
  const controller = new AbortController();
  const { client, until, made } = rig([batch(100)]);
  const result = await until(
    client.emails.batch.sendAll(messages(300), {
      signal: controller.signal,
      onProgress: () => controller.abort("enough"),
    }),
  );
  expect(result).toMatchObject({ accepted: 100, error: "enough" });
  expect(made).toHaveLength(1);
});

test("the last look at a message ends with the wait for it", async () => {
  const { client, clock, until } = rig([answer({ status: "sent", delivered_at: null }), { hang: true }]);
  const start = clock.Date.now();
  await until(rejection(client.emails.waitFor("1", "delivered", { timeout: 10_000 })));
  expect(clock.Date.now() - start).toBe(10_000);
  const short = rig([{ hang: true }], { timeout: 5000 });
  const began = short.clock.Date.now();
  await short.until(rejection(short.client.emails.waitFor("1", "delivered")));
  expect(short.clock.Date.now() - began).toBe(5000);
});

test("a ceiling of the account's mail holds no other call back", async () => {
  const clock = holdClock();
  const refusal = failure(429, "send_rejected", { "Retry-After": "3600" });
  const { client } = rig([refusal, answer({ lists: [] })], {
    clock,
    onEvent: createLimiter({ clock }),
  });
  await clock.until(rejection(client.emails.send(message)));
  const start = clock.Date.now();
  await clock.until(client.newsletter.lists());
  expect(clock.Date.now() - start).toBe(0);
});

test("a limiter is not led astray by odd headers and long waits", async () => {
  const clock = holdClock();
  const limiter = createLimiter({ clock });
  const odd = answer({}, { "X-RateLimit-Remaining": "many, many" });
  const { client } = rig([odd], { clock, onEvent: limiter });
  const start = clock.Date.now();
  for (let count = 0; count < 5; count++) await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(0);
  const refused = rig([failure(429, "rate_limited", { "Retry-After": "1e99" })], { clock, onEvent: limiter });
  await clock.until(rejection(refused.client.me()));
  await clock.until(rejection(refused.client.me({ timeout: 5000 })));
  expect(clock.Date.now() - start).toBe(5000);
});

test("attempts that a limiter let go and that were never made do not use its room up", async () => {
  const clock = holdClock();
  const limiter = createLimiter({ clock });
  const never = () => new Promise<void>(() => {});
  const stuck = rig([answer({})], { clock, onEvent: hooks(limiter, never), timeout: 1000 });
  for (let count = 0; count < 4; count++) await clock.until(rejection(stuck.client.me()));
  await clock.advance(60_000);
  const start = clock.Date.now();
  const { client } = rig([answer({}, { "X-RateLimit-Remaining": "3" })], { clock, onEvent: limiter });
  for (let count = 0; count < 3; count++) await clock.until(client.me());
  expect(clock.Date.now() - start).toBe(0);
});

test("any view of bytes is attached as its bytes, and what is undefined is as unless told otherwise", async () => {
  const numbers = Uint16Array.of(1, 2, 3);
  const content = Buffer.from(numbers.buffer).toString("base64");
  for (const view of [numbers, new DataView(numbers.buffer), Buffer.from(numbers.buffer)])
    expect(await attach(view, { filename: "a" })).toEqual({ filename: "a", content });
  const file = await attachFile(import.meta.filename, { filename: undefined, contentType: undefined });
  expect(file.filename).toBe("failures.test.ts");
});
