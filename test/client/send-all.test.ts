import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attach, type BatchMessage, type SendAllResult, StateError } from "../../client/src/index.ts";
import { attachFile } from "../../client/src/node.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { failure, message, rejection, type Step, success, testClient } from "./test-client.ts";

const messages = (count: number): BatchMessage[] =>
  Array.from({ length: count }, (_, index) => ({ ...message, subject: `Hello ${index}` }));
const batch = (count: number, start = 0, more = {}): Step =>
  success({
    data: Array.from({ length: count }, (_, index) => ({
      id: `sched_${start + index}`,
      suppressed: [],
      ...more,
    })),
  });

test("sendAll sends batches of 100, in order, with one key each", async () => {
  const { client, requests, until } = testClient([
    batch(100),
    { status: 503 },
    batch(100, 100),
    batch(30, 200),
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
    batch(100),
    failure(422, "invalid_request", {}, { fields }),
    batch(1, 200),
  ]);
  const result = await until(client.emails.batch.sendAll(messages(201)));
  expect(result.accepted).toBe(101);
  expect(result.error).toMatchObject({ type: "invalid_request" });
  expect(result.results[107]).toEqual({ state: "rejected", fields: { to: ["is empty"] } });
  expect(result.results[108]).toEqual({ state: "rejected", fields: {} });
  expect(result.results[200]).toMatchObject({ state: "accepted", id: "sched_200" });
});

test("a failure stops sendAll; resuming skips accepted parts and keeps the keys of pending ones", async () => {
  const first = testClient([batch(100), { cut: "ECONNRESET" }]);
  const result = await first.until(first.client.emails.batch.sendAll(messages(250)));
  expect(result.parts.map(({ state }) => state)).toEqual(["accepted", "pending", "pending"]);
  expect(result.error).toMatchObject({ name: "ConnectionError", attempts: 4 });
  const kept: SendAllResult = JSON.parse(JSON.stringify(result));
  const second = testClient([batch(100, 100), batch(50, 200)]);
  const rest = await second.until(second.client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect(rest).toMatchObject({ accepted: 250, error: undefined });
  expect(second.requests).toHaveLength(2);
  expect(second.requests[0]?.headers["idempotency-key"]).toBe(
    first.requests.at(-1)?.headers["idempotency-key"],
  );
  expect(rest.results.map((one) => one.state === "accepted" && one.id)[249]).toBe("sched_249");
});

test("the same idempotencyKey gives the same keys, even after a crash", async () => {
  const keys = async () => {
    const { client, requests, until } = testClient([batch(100)]);
    await until(client.emails.batch.sendAll(messages(150), { idempotencyKey: "letter 7" }));
    return requests.map(({ headers }) => headers["idempotency-key"]);
  };
  expect(await keys()).toEqual(["letter 7-0", "letter 7-100"]);
  expect(await keys()).toEqual(await keys());
});

test("waitFor looks a message up with growing pauses until it reaches or has passed the state", async () => {
  const record = (status: string, more = {}) =>
    success({ status, sent_at: null, delivered_at: null, ...more });
  const { client, elapsed, requests, until } = testClient([
    record("queued"),
    record("sent"),
    record("delivered"),
  ]);
  expect(await until(client.emails.waitFor("1", "delivered"))).toMatchObject({ status: "delivered" });
  expect([requests.length, elapsed()]).toEqual([3, 5000]);
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
  expect(await slow.until(rejection(slow.client.emails.waitFor("1", "delivered")))).toBeInstanceOf(
    StateError,
  );
  expect(slow.elapsed()).toBeLessThanOrEqual(300_000);
  expect(slow.requests.length).toBeLessThan(20);
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
  const folder = temporaryFolder();
  await writeFile(join(folder, "Invoice 7.PDF"), bytes);
  const expected = { filename: "Invoice 7.PDF", content, content_type: "application/pdf" };
  expect(await attachFile(join(folder, "Invoice 7.PDF"))).toEqual(expected);
  const renamed = await attachFile(new URL(`file://${folder}/Invoice%207.PDF`), { filename: "i.pdf" });
  expect(renamed).toMatchObject({ filename: "i.pdf" });
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

// What sendAll rejects before anything is sent, and what it resumes.

const day = 24 * 3_600_000;

test("a result with another number of messages is rejected", async () => {
  const { client, until, requests } = testClient([batch(100), batch(20)]);
  const resume = await until(client.emails.batch.sendAll(messages(120)));
  for (const count of [119, 121, 130])
    expect(await until(rejection(client.emails.batch.sendAll(messages(count), { resume })))).toMatchObject({
      name: "TypeError",
      message: `resume must be a result of sendAll with these ${count} messages (got {"results":120,"parts":2})`,
    });
  expect(requests).toHaveLength(2);
});

test("an idempotencyKey too long for a part is rejected before the first part is sent", async () => {
  const { client, until, requests } = testClient([batch(100)]);
  for (const idempotencyKey of ["", " ", "a ", "ä", "x".repeat(253)])
    expect(
      await until(rejection(client.emails.batch.sendAll(messages(101), { idempotencyKey }))),
    ).toBeInstanceOf(TypeError);
  expect(requests).toHaveLength(0);
  const long = testClient([batch(100), batch(1)]);
  const idempotencyKey = "x".repeat(252);
  expect(await long.until(long.client.emails.batch.sendAll(messages(101), { idempotencyKey }))).toMatchObject(
    { accepted: 101 },
  );
});

/** The stored result of three parts, of which the second got no response. */
async function interrupted(): Promise<{ kept: SendAllResult; sentAt: number }> {
  const { client, until, clock } = testClient([batch(100), { cut: "ECONNRESET" }]);
  const sentAt = clock.Date.now();
  const result = await until(client.emails.batch.sendAll(messages(250)));
  return { kept: JSON.parse(JSON.stringify(result)), sentAt };
}

test("a part that may have been sent is sent again while its key is valid", async () => {
  const { kept, sentAt } = await interrupted();
  expect(kept.parts.map(({ since }) => since)).toEqual([sentAt, sentAt, undefined]);
  const inTime = testClient([batch(100), batch(50)]);
  await inTime.clock.advance(day - 1);
  const rest = await inTime.until(inTime.client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect(rest).toMatchObject({ accepted: 250, error: undefined });
});

test("after that, resuming is rejected until the state of the part is set", async () => {
  const { kept } = await interrupted();
  const { client, clock, until, requests } = testClient([batch(100), batch(50)]);
  await clock.advance(day);
  const again = () => client.emails.batch.sendAll(messages(250), { resume: kept });
  expect(await until(rejection(again()))).toMatchObject({
    name: "TypeError",
    message: "the part at 100 may have been sent over 24 hours ago: set its state to accepted or rejected",
  });
  expect(requests).toHaveLength(0);
  const [, part] = kept.parts;
  Object.assign(part as object, { state: "rejected" });
  expect(await until(again())).toMatchObject({ accepted: 250, error: undefined });
  expect(requests[0]?.headers["idempotency-key"]).not.toBe(part?.idempotencyKey);
});

test("a part that is set to accepted is not sent again", async () => {
  const { kept } = await interrupted();
  const { client, clock, until, requests } = testClient([batch(50)]);
  await clock.advance(2 * day);
  Object.assign(kept.parts[1] as object, { state: "accepted" });
  const result = await until(client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect([result.accepted, result.error, requests.length]).toEqual([150, undefined, 1]);
});

test("the result in onProgress includes the part that is sent next", async () => {
  const kept: SendAllResult[] = [];
  const { client, until } = testClient([batch(100), failure(401, "unauthorized")]);
  const onProgress = (result: SendAllResult) => kept.push(JSON.parse(JSON.stringify(result)));
  await until(client.emails.batch.sendAll(messages(250), { onProgress }));
  expect(kept.map(({ parts }) => parts.map(({ since }) => since !== undefined))).toEqual([
    [true, true, false],
  ]);
});

// sendAll, waitFor, attach and the limiter when something fails halfway.

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
  const { client, until } = testClient([batch(1, 0, { state: "queued" })]);
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
  const { client, until, elapsed } = testClient([
    success({ status: "sent", delivered_at: null }),
    { hang: true },
  ]);
  await until(rejection(client.emails.waitFor("1", "delivered", { timeout: 10_000 })));
  expect(elapsed()).toBe(10_000);
  const short = testClient([{ hang: true }], { timeout: 5000 });
  const from = short.clock.Date.now();
  await short.until(rejection(short.client.emails.waitFor("1", "delivered")));
  expect(short.clock.Date.now() - from).toBe(5000);
});

test("any view of bytes is attached as its bytes, and undefined options are defaults", async () => {
  const numbers = Uint16Array.of(1, 2, 3);
  const content = Buffer.from(numbers.buffer).toString("base64");
  for (const view of [numbers, new DataView(numbers.buffer), Buffer.from(numbers.buffer)])
    expect(await attach(view, { filename: "a" })).toEqual({ filename: "a", content });
  const file = await attachFile(import.meta.filename, { filename: undefined, contentType: undefined });
  expect(file.filename).toBe("send-all.test.ts");
});

test("no messages are no request", async () => {
  const { client, until } = testClient([]);
  expect((await until(client.emails.batch.sendAll([]))).results).toEqual([]);
});
