import { expect, test } from "vitest";
import type { BatchMessage, SendAllResult } from "../../client/src/index.ts";
import { failure, type Step, success } from "./scripted-fetch.ts";
import { message, rejection, testClient } from "./test-client.ts";

// What sendAll rejects before anything is sent, and what it resumes.

const day = 24 * 3_600_000;
const messages = (count: number): BatchMessage[] => Array.from({ length: count }, () => message);
const batch = (count: number): Step =>
  success({ data: Array.from({ length: count }, (_, index) => ({ id: `sched_${index}`, suppressed: [] })) });

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
