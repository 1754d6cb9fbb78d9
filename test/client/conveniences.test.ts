import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  attach,
  type BatchMessage,
  createLimiter,
  hooks,
  type SendAllResult,
  StateError,
} from "../../client/src/index.ts";
import { attachFile } from "../../client/src/node.ts";
import { holdClock } from "./fake-clock.ts";
import { answer, failure, type Step } from "./scripted-fetch.ts";
import { message, rejection, rig } from "./test-client.ts";

const messages = (count: number): BatchMessage[] =>
  Array.from({ length: count }, (_, index) => ({ ...message, subject: `Hello ${index}` }));
const batch = (start: number, count: number): Step =>
  answer({
    data: Array.from({ length: count }, (_, index) => ({ id: `sched_${start + index}`, suppressed: [] })),
  });

test("any number of messages go out in hundreds, in order, one key for each part", async () => {
  const { client, made, until } = rig([batch(0, 100), { status: 503 }, batch(100, 100), batch(200, 30)]);
  const progress: number[] = [];
  const result = await until(
    client.emails.batch.sendAll(messages(230), { onProgress: ({ accepted }) => progress.push(accepted) }),
  );
  expect(progress).toEqual([100, 200, 230]);
  expect(result).toMatchObject({ accepted: 230, error: undefined });
  expect(result.results).toEqual(
    messages(230).map((_, index) => ({ state: "accepted", id: `sched_${index}`, suppressed: [] })),
  );
  expect(made.map(({ body }) => JSON.parse(body ?? "").emails.length)).toEqual([100, 100, 100, 30]);
  const keys = made.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[1]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(3);
});

test("a refused part stops no other, and says what is wrong with which message", async () => {
  const fields = { "emails.7.to": ["is empty"] };
  const { client, until } = rig([
    batch(0, 100),
    failure(422, "invalid_request", {}, { fields }),
    batch(200, 1),
  ]);
  const result = await until(client.emails.batch.sendAll(messages(201)));
  expect(result.accepted).toBe(101);
  expect(result.error).toMatchObject({ type: "invalid_request" });
  expect(result.results[107]).toEqual({ state: "rejected", fields: { to: ["is empty"] } });
  expect(result.results[108]).toEqual({ state: "rejected", fields: {} });
  expect(result.results[200]).toMatchObject({ state: "accepted", id: "sched_200" });
});

test("a failure stops the sending; going on repeats nothing and keeps the key of what is not known", async () => {
  const first = rig([batch(0, 100), { cut: "ECONNRESET" }]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(250)));
  expect(result.parts.map(({ state }) => state)).toEqual(["accepted", "pending", "pending"]);
  expect(result.error).toMatchObject({ name: "ConnectionError", attempts: 4 });
  const kept: SendAllResult = JSON.parse(JSON.stringify(result));
  const second = rig([batch(100, 100), batch(200, 50)]);
  const rest = await second.until(second.client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect(rest).toMatchObject({ accepted: 250, error: undefined });
  expect(second.made).toHaveLength(2);
  expect(second.made[0]?.headers["idempotency-key"]).toBe(first.made.at(-1)?.headers["idempotency-key"]);
  expect(rest.results.map((one) => one.state === "accepted" && one.id)[249]).toBe("sched_249");
});

test("what was refused is sent with a new key once it is mended", async () => {
  const first = rig([failure(422, "invalid_request")]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(2)));
  const second = rig([batch(0, 2)]);
  await second.until(second.client.emails.batch.sendAll(messages(2), { resume: result }));
  expect(second.made[0]?.headers["idempotency-key"]).not.toBe(first.made[0]?.headers["idempotency-key"]);
});

test("the same name for the same work gives the same keys, even after a crash", async () => {
  const keys = async () => {
    const { client, made, until } = rig([batch(0, 100)]);
    await until(client.emails.batch.sendAll(messages(150), { idempotencyKey: "letter 7" }));
    return made.map(({ headers }) => headers["idempotency-key"]);
  };
  expect(await keys()).toEqual(["letter 7-0", "letter 7-100"]);
  expect(await keys()).toEqual(await keys());
});

test("nothing to send is no request, and too short an answer is no success", async () => {
  const none = rig([]);
  expect((await none.until(none.client.emails.batch.sendAll([]))).results).toEqual([]);
  const short = rig([batch(0, 1)]);
  const { results, accepted } = await short.until(short.client.emails.batch.sendAll(messages(2)));
  expect([results[1], accepted]).toEqual([{ state: "pending" }, 1]);
});

test("a message is looked up with growing pauses until it is in the state, or has been", async () => {
  const record = (status: string, more = {}) =>
    answer({ status, sent_at: null, delivered_at: null, ...more });
  const { client, clock, made, until } = rig([record("queued"), record("sent"), record("delivered")]);
  const start = clock.Date.now();
  expect(await until(client.emails.waitFor("1", "delivered"))).toMatchObject({ status: "delivered" });
  expect([made.length, clock.Date.now() - start]).toEqual([3, 5000]);
  const passed = rig([record("delivered", { sent_at: "2027-01-31T09:00:00Z" })]);
  expect(await passed.until(passed.client.emails.waitFor("1", "sent"))).toMatchObject({
    status: "delivered",
  });
});

test("a message that cannot come into the state any more, or not in time, is not waited for", async () => {
  const bounced = rig([answer({ status: "bounced", delivered_at: null })]);
  const error = await bounced.until(rejection(bounced.client.emails.waitFor("1", "delivered")));
  expect(error).toBeInstanceOf(StateError);
  expect((error as StateError).record.status).toBe("bounced");
  const slow = rig([answer({ status: "sent", delivered_at: null })]);
  const start = slow.clock.Date.now();
  expect(await slow.until(rejection(slow.client.emails.waitFor("1", "delivered")))).toBeInstanceOf(
    StateError,
  );
  expect(slow.clock.Date.now() - start).toBeLessThanOrEqual(300_000);
  expect(slow.made.length).toBeLessThan(20);
});

test("a limiter holds requests back when the budget is used up, whoever used it", async () => {
  const clock = holdClock();
  const limiter = createLimiter({ perMinute: 3, clock });
  const times: number[] = [];
  const onEvent = hooks(limiter, (event) => event.type === "attempt" && times.push(clock.Date.now()));
  const left = ["2", "1", "0", "2", "1", "0", "2"].map((n) => answer({}, { "X-RateLimit-Remaining": n }));
  const { client } = rig(left, { clock, onEvent, timeout: 300_000 });
  const start = clock.Date.now();
  await clock.until(Promise.all(Array.from({ length: 7 }, () => client.me())));
  expect(times.map((time) => time - start)).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000]);
});

test("a limiter waits after a refusal, and lets a call go that is not waited for any more", async () => {
  const clock = holdClock();
  const limiter = createLimiter({ clock });
  const { client, made } = rig([failure(429, "rate_limited", { "Retry-After": "30" }), answer({})], {
    clock,
    onEvent: limiter,
  });
  const start = clock.Date.now();
  const first = client.me();
  await clock.advance(1);
  const controller = new AbortController();
  const second = rejection(client.me({ signal: controller.signal }));
  await clock.advance(1000);
  controller.abort("enough");
  expect(await second).toBe("enough");
  expect(made).toHaveLength(1);
  await clock.until(first);
  expect(clock.Date.now() - start).toBeGreaterThanOrEqual(30_000);
});

test("an attachment is made from bytes, a Blob, a File, a stream and a path", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  const content = Buffer.from(bytes).toString("base64");
  const named = { filename: "a.bin" };
  const stream = new Blob([bytes]).stream();
  for (const source of [bytes, bytes.buffer, new Blob([bytes]), stream])
    expect(await attach(source, named)).toEqual({ filename: "a.bin", content });
  const image = new File([bytes], "logo.png", { type: "image/png" });
  expect(await attach(image, { contentId: "logo" })).toEqual({
    filename: "logo.png",
    content,
    content_type: "image/png",
    content_id: "logo",
  });
  const folder = await mkdtemp(join(tmpdir(), "email-api-client-"));
  try {
    await writeFile(join(folder, "Invoice 7.PDF"), bytes);
    const expected = { filename: "Invoice 7.PDF", content, content_type: "application/pdf" };
    expect(await attachFile(join(folder, "Invoice 7.PDF"))).toEqual(expected);
    expect(
      await attachFile(new URL(`file://${folder}/Invoice%207.PDF`), { filename: "i.pdf" }),
    ).toMatchObject({ filename: "i.pdf" });
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await rejection(attach(bytes))).toBeInstanceOf(TypeError);
});
