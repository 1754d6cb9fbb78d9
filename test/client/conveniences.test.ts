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
import { createFakeClock } from "./fake-clock.ts";
import { failure, type Step, success } from "./scripted-fetch.ts";
import { message, rejection, testClient } from "./test-client.ts";

const messages = (count: number): BatchMessage[] =>
  Array.from({ length: count }, (_, index) => ({ ...message, subject: `Hello ${index}` }));
const batch = (start: number, count: number): Step =>
  success({
    data: Array.from({ length: count }, (_, index) => ({ id: `sched_${start + index}`, suppressed: [] })),
  });

test("sendAll sends batches of 100, in order, with one key each", async () => {
  const { client, requests, until } = testClient([
    batch(0, 100),
    { status: 503 },
    batch(100, 100),
    batch(200, 30),
  ]);
  const progress: number[] = [];
  const result = await until(
    client.emails.batch.sendAll(messages(230), { onProgress: ({ accepted }) => progress.push(accepted) }),
  );
  expect(progress).toEqual([100, 200, 230]);
  expect(result).toMatchObject({ accepted: 230, error: undefined });
  expect(result.results).toEqual(
    messages(230).map((_, index) => ({ state: "accepted", id: `sched_${index}`, suppressed: [] })),
  );
  expect(requests.map(({ body }) => JSON.parse(body ?? "").emails.length)).toEqual([100, 100, 100, 30]);
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[1]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(3);
});

test("sendAll continues after a rejected part, and reports the errors by message", async () => {
  const fields = { "emails.7.to": ["is empty"] };
  const { client, until } = testClient([
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

test("a failure stops sendAll; resuming skips accepted parts and keeps the keys of pending ones", async () => {
  const first = testClient([batch(0, 100), { cut: "ECONNRESET" }]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(250)));
  expect(result.parts.map(({ state }) => state)).toEqual(["accepted", "pending", "pending"]);
  expect(result.error).toMatchObject({ name: "ConnectionError", attempts: 4 });
  const kept: SendAllResult = JSON.parse(JSON.stringify(result));
  const second = testClient([batch(100, 100), batch(200, 50)]);
  const rest = await second.until(second.client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect(rest).toMatchObject({ accepted: 250, error: undefined });
  expect(second.requests).toHaveLength(2);
  expect(second.requests[0]?.headers["idempotency-key"]).toBe(
    first.requests.at(-1)?.headers["idempotency-key"],
  );
  expect(rest.results.map((one) => one.state === "accepted" && one.id)[249]).toBe("sched_249");
});

test("a rejected part is sent with a new key", async () => {
  const first = testClient([failure(422, "invalid_request")]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(2)));
  const second = testClient([batch(0, 2)]);
  await second.until(second.client.emails.batch.sendAll(messages(2), { resume: result }));
  expect(second.requests[0]?.headers["idempotency-key"]).not.toBe(
    first.requests[0]?.headers["idempotency-key"],
  );
});

test("the same idempotencyKey gives the same keys, even after a crash", async () => {
  const keys = async () => {
    const { client, requests, until } = testClient([batch(0, 100)]);
    await until(client.emails.batch.sendAll(messages(150), { idempotencyKey: "letter 7" }));
    return requests.map(({ headers }) => headers["idempotency-key"]);
  };
  expect(await keys()).toEqual(["letter 7-0", "letter 7-100"]);
  expect(await keys()).toEqual(await keys());
});

test("no messages are no request, and a response with too few entries is an error", async () => {
  const none = testClient([]);
  expect((await none.until(none.client.emails.batch.sendAll([]))).results).toEqual([]);
  const short = testClient([batch(0, 1)]);
  const { results, accepted } = await short.until(short.client.emails.batch.sendAll(messages(2)));
  expect([results[1], accepted]).toEqual([{ state: "pending" }, 1]);
});

test("waitFor looks a message up with growing pauses until it reaches or has passed the state", async () => {
  const record = (status: string, more = {}) =>
    success({ status, sent_at: null, delivered_at: null, ...more });
  const { client, clock, requests, until } = testClient([
    record("queued"),
    record("sent"),
    record("delivered"),
  ]);
  const start = clock.Date.now();
  expect(await until(client.emails.waitFor("1", "delivered"))).toMatchObject({ status: "delivered" });
  expect([requests.length, clock.Date.now() - start]).toEqual([3, 5000]);
  const passed = testClient([record("delivered", { sent_at: "2027-01-31T09:00:00Z" })]);
  expect(await passed.until(passed.client.emails.waitFor("1", "sent"))).toMatchObject({
    status: "delivered",
  });
});

test("waitFor stops at a final state and at the timeout", async () => {
  const bounced = testClient([success({ status: "bounced", delivered_at: null })]);
  const error = await bounced.until(rejection(bounced.client.emails.waitFor("1", "delivered")));
  expect(error).toBeInstanceOf(StateError);
  expect((error as StateError).record.status).toBe("bounced");
  const slow = testClient([success({ status: "sent", delivered_at: null })]);
  const start = slow.clock.Date.now();
  expect(await slow.until(rejection(slow.client.emails.waitFor("1", "delivered")))).toBeInstanceOf(
    StateError,
  );
  expect(slow.clock.Date.now() - start).toBeLessThanOrEqual(300_000);
  expect(slow.requests.length).toBeLessThan(20);
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
  expect(await rejection(attach(bytes))).toEqual(
    new TypeError("filename is missing: pass it as an option, or attach a File"),
  );
  for (const source of [undefined, null, "logo.png", [1, 2], {}])
    expect(await rejection(attach(source as never, { filename: "logo.png" }))).toEqual(
      new TypeError(
        `an attachment must be bytes, a Blob or a stream; attachFile takes a path (got "${typeof source}")`,
      ),
    );
});
