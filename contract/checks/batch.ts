import { limits } from "../../generated/limits.ts";
import { NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertFieldError,
  assertProperty,
  assertSuccess,
  bodyOf,
} from "../support/assertions.ts";
import {
  assertStatus,
  batchEntries,
  batchOf,
  emailNeeds,
  idInBatch,
  largestBatch,
  latest,
  message,
  pollUntilSent,
  sentBatch,
  sentStatuses,
} from "../support/messages.ts";
import { countCase } from "../support/quota-counts.ts";

/** Of a subject: enough to tell messages apart. */
const beginningOf = ({ subject }: Record<string, unknown>) => String(subject).split(" ", 3).join(" ");

const batchWithError = (tester: Tester, position: number, length = 3): Promise<Exchange> =>
  tester.once(`a batch of ${length} whose message ${position} has no subject`, (own) => {
    const messages = Array.from({ length }, (_, index) =>
      message(own, index === position ? { subject: undefined } : {}),
    );
    return own.request("sendBatch", { body: batchOf(...messages) });
  });

/** Asserts that `error.fields` names the subject of the one invalid message and nothing else. */
const assertPosition = (exchange: Exchange, position: number): void =>
  assertFieldError(exchange, `emails.${position}.subject`);

const inBatches = (run: (batch: Awaited<ReturnType<typeof sentBatch>>, tester: Tester) => unknown) => [
  caseOf(sentBatch, "a small batch", run),
  caseOf(largestBatch, "the largest batch", { core: false }, run),
];

export const batches: Check[] = withNeeds(emailNeeds, [
  check("BATCH-7", "if one message of a batch is rejected, no message is sent", [
    testCase("a required property is missing", { core: true }, async (tester) =>
      assertPosition(await batchWithError(tester, 2), 2),
    ),
    countCase("no quota is used", "rejectedBatch"),
  ]),
  check("BATCH-8", "an error names the message of a batch by its index", [
    ...["first", "middle", "last"].map((which, position) =>
      testCase(`the ${which} message`, { core: which !== "middle" }, async (tester: Tester) =>
        assertPosition(await batchWithError(tester, position), position),
      ),
    ),
    testCase("the last message of a batch of the maximum size", async (tester) => {
      const last = limits.batchMessages - 1;
      assertPosition(await batchWithError(tester, last, limits.batchMessages), last);
    }),
  ]),
  check(
    "BATCH-9",
    "the response to a batch has one entry per message",
    inBatches(({ response, messages }) =>
      assertEqual(response, "number of entries", batchEntries(response).length, messages.length),
    ),
  ),
  check(
    "BATCH-10",
    "the entries of the response are in the order of the messages",
    inBatches(({ lookups, messages }) => {
      if (!lookups.some(isSuccess)) throw new NotVerified("No message of the batch could be looked up.");
      for (const [index, lookup] of lookups.entries()) {
        const name = `subject of emails.${index} with`;
        const sent = beginningOf(messages[index] ?? {});
        if (isSuccess(lookup)) assertEqual(lookup, name, beginningOf(bodyOf(lookup)), sent);
      }
    }),
  ),
  check(
    "BATCH-11",
    "the ids of a batch are unique",
    inBatches(({ response }) => {
      const ids = batchEntries(response).map(({ id }) => id);
      assertEqual(response, "number of distinct ids", new Set(ids).size, ids.length);
    }),
  ),
  check(
    "BATCH-12",
    "each entry lists the suppressed recipients of its message",
    inBatches(({ response, messages }, tester) => {
      const gone = (fields: unknown[]): unknown[] =>
        fields.flat().filter((one) => tester.settings.fixtures.suppressed?.includes(String(one)));
      for (const [index, { suppressed }] of batchEntries(response).entries()) {
        const { to, cc } = messages[index] ?? {};
        assertEqual(response, `suppressed of entry ${index}`, suppressed, gone([to, cc]));
      }
    }),
  ),
  check(
    "BATCH-13",
    "the ids of a batch can be looked up as soon as the response arrives",
    inBatches(({ response, lookups }) => {
      for (const [index, lookup] of lookups.entries()) {
        assertSuccess(lookup);
        assertProperty(lookup, "id", batchEntries(response)[index]?.id);
      }
    }),
  ),
  check("BATCH-14", "the messages of a batch are sent within moments", [
    testCase("a small batch", { core: true }, async (tester) => {
      const id = await idInBatch(tester, "success");
      assertStatus(latest(await pollUntilSent(tester, id)), sentStatuses, "dispatch");
    }),
    caseOf(largestBatch, "the largest batch", { core: false }, async ({ response }, tester) => {
      for (const { id } of batchEntries(response).filter((_, index) => index % 33 === 0))
        assertStatus(latest(await pollUntilSent(tester, String(id))), sentStatuses, "dispatch");
    }),
  ]),
  check("BATCH-3", "a batch of the maximum size with more than a megabyte is accepted", [
    caseOf(largestBatch, "", { core: false }, ({ response }) => assertSuccess(response)),
  ]),
  check("IDEM-1", "a replay of a batch has all entries", [
    caseOf(largestBatch, "the largest batch", { core: false }, async ({ options, response }, tester) => {
      const replay = await tester.request("sendBatch", options);
      assertEqual(replay, "body of the first response", replay.json, response.json);
    }),
  ]),
]);
