import { expect, test } from "vitest";
import type { BatchMessage, SendAllResult } from "../../client/src/index.ts";
import { answer, failure, type Step } from "./scripted-fetch.ts";
import { message, rejection, rig } from "./test-client.ts";

// What a work of many messages is refused for, before anything of it is sent.

const day = 24 * 3_600_000;
const messages = (count: number): BatchMessage[] => Array.from({ length: count }, () => message);
const batch = (count: number): Step =>
  answer({ data: Array.from({ length: count }, (_, index) => ({ id: `sched_${index}`, suppressed: [] })) });

test("a result of another number of messages is not gone on with", async () => {
  const { client, until, made } = rig([batch(100), batch(20)]);
  const resume = await until(client.emails.batch.sendAll(messages(120)));
  for (const count of [119, 121, 130])
    expect(await until(rejection(client.emails.batch.sendAll(messages(count), { resume })))).toMatchObject({
      name: "TypeError",
      message: "resume is of other messages",
    });
  expect(made).toHaveLength(2);
});

test("a key that no part can have is refused before the first part goes out", async () => {
  const { client, until, made } = rig([batch(100)]);
  for (const idempotencyKey of ["", " ", "a ", "ä", "x".repeat(253)])
    expect(
      await until(rejection(client.emails.batch.sendAll(messages(101), { idempotencyKey }))),
    ).toBeInstanceOf(TypeError);
  expect(made).toHaveLength(0);
  const long = rig([batch(100), batch(1)]);
  const idempotencyKey = "x".repeat(252);
  expect(await long.until(long.client.emails.batch.sendAll(messages(101), { idempotencyKey }))).toMatchObject(
    { accepted: 101 },
  );
});

/** A work of three parts of which the second was lost on the way, as it was kept. */
async function interrupted(): Promise<{ kept: SendAllResult; sentAt: number }> {
  const { client, until, clock } = rig([batch(100), { cut: "ECONNRESET" }]);
  const sentAt = clock.Date.now();
  const result = await until(client.emails.batch.sendAll(messages(250)));
  return { kept: JSON.parse(JSON.stringify(result)), sentAt };
}

test("what may have been sent is sent again for as long as its key keeps it from being sent twice", async () => {
  const { kept, sentAt } = await interrupted();
  expect(kept.parts.map(({ since }) => since)).toEqual([sentAt, sentAt, undefined]);
  const inTime = rig([batch(100), batch(50)]);
  await inTime.clock.advance(day - 1);
  const rest = await inTime.until(inTime.client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect(rest).toMatchObject({ accepted: 250, error: undefined });
});

test("later than that going on is refused, until it is said what became of the part", async () => {
  const { kept } = await interrupted();
  const { client, clock, until, made } = rig([batch(100), batch(50)]);
  await clock.advance(day);
  const again = () => client.emails.batch.sendAll(messages(250), { resume: kept });
  expect(await until(rejection(again()))).toMatchObject({
    name: "TypeError",
    message: "part 100 may have been sent over 24 hours ago: set its state",
  });
  expect(made).toHaveLength(0);
  const [, part] = kept.parts;
  Object.assign(part as object, { state: "rejected" });
  expect(await until(again())).toMatchObject({ accepted: 250, error: undefined });
  expect(made[0]?.headers["idempotency-key"]).not.toBe(part?.idempotencyKey);
});

test("a part that is left as it is is not sent again", async () => {
  const { kept } = await interrupted();
  const { client, clock, until, made } = rig([batch(50)]);
  await clock.advance(2 * day);
  Object.assign(kept.parts[1] as object, { state: "accepted" });
  const result = await until(client.emails.batch.sendAll(messages(250), { resume: kept }));
  expect([result.accepted, result.error, made.length]).toEqual([150, undefined, 1]);
});

test("what is kept while sending goes on knows of the part that is on its way then", async () => {
  const kept: SendAllResult[] = [];
  const { client, until } = rig([batch(100), failure(401, "unauthorized")]);
  const onProgress = (result: SendAllResult) => kept.push(JSON.parse(JSON.stringify(result)));
  await until(client.emails.batch.sendAll(messages(250), { onProgress }));
  expect(kept.map(({ parts }) => parts.map(({ since }) => since !== undefined))).toEqual([
    [true, true, false],
  ]);
});
