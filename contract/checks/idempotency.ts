import { isDeepStrictEqual } from "node:util";
import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, ifInRun } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertFailNextWorked,
  assertProperty,
  assertSuccess,
  bodyOf,
  idOf,
  type Json,
  requestOk,
} from "../support/assertions.ts";
import { completeMessage, completeTemplate } from "../support/complete-messages.ts";
import {
  addContact,
  assertNoContact,
  manyTimes,
  membership,
  newContactBody,
  showMembership,
} from "../support/contacts.ts";
import {
  assertStatus,
  assertTimestamp,
  batchEntries,
  batchOf,
  emailNeeds,
  hour,
  lookUpMessage,
  message,
  schedule,
  secondsAhead,
} from "../support/messages.ts";
import { assertDueOnce, atDueTime } from "../support/quota.ts";
import { countCase } from "../support/quota-counts.ts";
import {
  assertNotReplayed,
  casePerOperation,
  idempotent,
  newIdempotencyKey,
  okResponse,
  requestWithKey,
  validRequest,
} from "../support/requests.ts";

/** A request with an idempotency key, its response, and the response to the same request again. */
const replayed = (tester: Tester, operation: OperationId) =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const options = await requestWithKey(own, operation);
    const first = await requestOk(own, operation, options);
    return { options, first, second: await own.request(operation, options) };
  });

function assertReplay(first: Exchange, second: Exchange): void {
  assertSuccess(second);
  assertReplayHeader(second);
  assertEqual(second, "body of the first response", second.json, first.json);
}

const assertReplayHeader = (exchange: Exchange): void =>
  assertEqual(exchange, "Idempotent-Replayed", exchange.headers["idempotent-replayed"], "true");

/** Asserts that the key of a request is rejected with another body. */
async function assertConflict(tester: Tester, operation: OperationId, sent: RequestOptions, body?: unknown) {
  const other = body ?? (await validRequest(tester, operation)).body;
  assertError(await tester.request(operation, { ...sent, body: other }), 409, "idempotency_conflict");
}

/** Asserts the response to a new request: the messages of another send have other ids. */
function assertNew(exchange: Exchange, first: Exchange, operation: OperationId): void {
  assertNotReplayed(exchange);
  if (operation === "upsertContact") return;
  const [before, now] = [first, exchange].map((one) =>
    operation === "sendBatch" ? batchEntries(one)[0]?.id : idOf(one),
  );
  assert(now !== before, exchange, { expected: "a new message", found: `the first one, ${now}` });
}

const windowSeconds = limits.idempotencyWindow * hour;

/** Asserts that an hour before the end of the window a request is a replay and another body a conflict, and that an hour after it the request is new. */
async function assertRemembered(tester: Tester, operation: OperationId, options: RequestOptions) {
  const first = await requestOk(tester, operation, options);
  await tester.hook("advanceClock", { seconds: windowSeconds - hour });
  assertReplay(first, await tester.request(operation, options));
  await assertConflict(tester, operation, options);
  await tester.hook("advanceClock", { seconds: 2 * hour });
  assertNew(await requestOk(tester, operation, options), first, operation);
}

const scheduledSend = { operation: "sendEmail", core: false, needs: emailNeeds } as const;
const ofContact = { operation: "upsertContact", needs: ["lists.plain"] } as const;

export const idempotency: Check[] = [
  check(
    "IDEM-1",
    "the same key with the same body returns the original response",
    casePerOperation(idempotent, idempotent, async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertEqual(second, "status", second.status, first.status);
      assertEqual(second, "body of the first response", second.json, first.json);
    }),
  ),
  check(
    "IDEM-7",
    "only the replayed response has Idempotent-Replayed: true",
    casePerOperation(idempotent, idempotent, async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertReplayHeader(second);
      assertNotReplayed(first);
      // Without a key.
      assertNotReplayed(await okResponse(tester, operation));
    }),
  ),
  check(
    "IDEM-2",
    "the same key with another body is rejected with 409 idempotency_conflict",
    casePerOperation(idempotent, idempotent, async (tester, operation) => {
      const { options } = await replayed(tester, operation);
      await assertConflict(tester, operation, options);
    }),
  ),
  check(
    "IDEM-9",
    "a key is remembered until the end of the idempotency window, even if the request is repeated",
    { tags: ["clock"], needs: ["hooks.advanceClock"] },
    [
      ...casePerOperation(idempotent, ["sendEmail"], async (tester, operation) =>
        assertRemembered(tester, operation, await requestWithKey(tester, operation)),
      ),
      testCase("sendEmail, scheduled", scheduledSend, async (tester) => {
        const body = message(tester, { scheduled_at: secondsAhead(tester, 2 * windowSeconds) });
        await assertRemembered(tester, "sendEmail", { body, headers: newIdempotencyKey(tester) });
      }),
      testCase("sendEmail, scheduled and sent", scheduledSend, async (tester) => {
        const body = message(tester, { scheduled_at: secondsAhead(tester, hour) });
        const options = { body, headers: newIdempotencyKey(tester) };
        const first = await requestOk(tester, "sendEmail", options);
        await tester.hook("advanceClock", { seconds: 2 * hour });
        assertReplay(first, await tester.request("sendEmail", options));
      }),
    ],
  ),
  check(
    "IDEM-9",
    "a key is remembered however many others are used after it",
    // After the checks that use others.
    { alone: true },
    casePerOperation(idempotent, [], async (tester, operation) => {
      const { options, first } = await replayed(tester, operation);
      for (let count = 0; operation === "upsertContact" && count < manyTimes; count += 1)
        await requestOk(tester, operation, await requestWithKey(tester, operation));
      assertReplay(first, await tester.request(operation, options));
    }),
  ),
  check(
    "IDEM-4",
    "all characters of an idempotency key are significant, up to its limit",
    casePerOperation(idempotent, [], async (tester, operation) => {
      const start = tester.run.unique().padEnd(limits.idempotencyKeyLength - 1, "-");
      for (const last of ["a", "b", "A"]) {
        const headers = { "Idempotency-Key": start + last };
        const { body } = await validRequest(tester, operation);
        assertNotReplayed(await requestOk(tester, operation, { body, headers }));
      }
    }),
  ),
  check("IDEM-6", "idempotency keys belong to one API key", { needs: ["keys.second"] }, [
    ...casePerOperation(idempotent, idempotent, async (tester, operation) => {
      const { options } = await replayed(tester, operation);
      const { body } = await validRequest(tester, operation);
      assertNotReplayed(await requestOk(tester, operation, { ...options, body, key: "second" }));
    }),
    ...casePerOperation(idempotent, [], { suffix: " with the same body" }, async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await requestOk(tester, operation, options);
      assertNotReplayed(await requestOk(tester, operation, { ...options, key: "second" }));
    }),
  ]),
];

const contactBody = (tester: Tester) => newContactBody(tester, { first_name: "First" });

/** Asserts that a body with any of these changes is a conflict; one that changes nothing is left out. */
async function assertCompared(tester: Tester, operation: OperationId, body: object, ...changes: object[]) {
  const options = { headers: newIdempotencyKey(tester), body };
  await requestOk(tester, operation, options);
  for (const change of changes.map((one) => ({ ...body, ...one })))
    if (!isDeepStrictEqual(change, body)) await assertConflict(tester, operation, options, change);
}

/** The values of another body, one property at a time. */
const eachOf = (other: Json): Json[] => Object.entries(other).map((entry) => Object.fromEntries([entry]));

const withCopies = { core: false, needs: [...emailNeeds, "recipientDomain"] } as const;

/** A contact with a text as each property; not all texts are for the same list. */
function contactWith(tester: Tester, text: "First" | "Second") {
  const { lists, fields } = tester.settings.fixtures;
  return {
    ...newContactBody(tester, { first_name: text, last_name: text, tags: [text] }),
    ...(text === "Second" && lists?.second !== undefined && { list_id: lists.second }),
    ...(fields?.text !== undefined && { fields: { [fields.text]: text } }),
    consent: { detail: text, ip: `192.0.2.${text.length}`, user_agent: text },
  };
}

/** Idempotency keys in cases in which a server may compare too little. */
export const idempotencyConflicts: Check[] = [
  check("IDEM-2", "a body that differs in one value is rejected with 409 idempotency_conflict", [
    testCase("sendEmail", { operation: "sendEmail", ...withCopies }, (tester) => {
      const scheduled = (hours: number) => ({
        ...completeMessage(tester),
        scheduled_at: secondsAhead(tester, hours * hour),
      });
      // Some properties are after a long one.
      const body = { ...scheduled(5), text: "Bread. ".repeat(20_000) };
      return assertCompared(tester, "sendEmail", body, ...eachOf(scheduled(6)));
    }),
    testCase("sendEmail, from a template", { ...withCopies, needs: ["template"] }, (tester) => {
      const [body, { variables }] = [completeTemplate(tester), completeTemplate(tester)];
      return assertCompared(tester, "sendEmail", body, { variables });
    }),
    testCase("sendBatch", { operation: "sendBatch", ...withCopies }, (tester) => {
      const { attachments: _, ...other } = completeMessage(tester);
      const body = { ...completeMessage(tester), attachments: undefined };
      const changes = eachOf(other).map((change) => batchOf(other, { ...body, ...change }));
      return assertCompared(tester, "sendBatch", batchOf(other, body), ...changes);
    }),
    testCase("upsertContact", { ...ofContact, core: false }, (tester) => {
      const [body, other] = [contactWith(tester, "First"), contactWith(tester, "Second")];
      const consents = eachOf(other.consent).map((change) => ({ consent: { ...body.consent, ...change } }));
      return assertCompared(tester, "upsertContact", body, ...eachOf({ ...other, consent: {} }), ...consents);
    }),
  ]),
  check("IDEM-2", "a request rejected as a conflict has no effect", [
    countCase("sendEmail and sendBatch", "conflict", { operation: "sendEmail", core: false }),
    testCase("upsertContact", { ...ofContact, core: false }, async (tester) => {
      const body = contactBody(tester);
      const options = { headers: newIdempotencyKey(tester), body };
      const before = bodyOf(await requestOk(tester, "upsertContact", options));
      const other = contactBody(tester);
      await assertConflict(tester, "upsertContact", options, other);
      await ifInRun(assertNoContact(tester, other.email));
      await assertConflict(tester, "upsertContact", options, {
        ...body,
        last_name: "Second",
        tags: ["second"],
      });
      const found = await showMembership(tester, body.email, body.list_id);
      const { last_name, tags } = membership(found, body.list_id);
      assertEqual(found, "last_name and tags as before", [last_name, tags], [before.last_name, before.tags]);
    }),
  ]),
  check(["IDEM-1", "IDEM-8"], "a request is replayed however often it is repeated", [
    ...casePerOperation(idempotent, [], async (tester, operation) => {
      const uses = operation === "sendEmail" ? manyTimes : 3;
      await assertRepeated(tester, operation, await requestWithKey(tester, operation), uses);
    }),
    testCase("sendEmail, scheduled", scheduledSend, (tester) => {
      const body = message(tester, { scheduled_at: secondsAhead(tester, hour) });
      return assertRepeated(tester, "sendEmail", { body, headers: newIdempotencyKey(tester) }, 3);
    }),
    testCase("upsertContact, updated in between", { ...ofContact, core: true }, async (tester) => {
      const body = contactBody(tester);
      const options = { body, headers: newIdempotencyKey(tester) };
      const first = await requestOk(tester, "upsertContact", options);
      await requestOk(tester, "upsertContact", { body: { ...body, first_name: "Second" } });
      assertReplay(first, await tester.request("upsertContact", options));
      // The change survives the replay.
      const found = await showMembership(tester, body.email, body.list_id);
      assertEqual(found, "first_name", membership(found, body.list_id).first_name, "Second");
    }),
  ]),
];

async function assertRepeated(tester: Tester, operation: OperationId, options: RequestOptions, uses: number) {
  const first = await requestOk(tester, operation, options);
  for (let use = 1; use < uses; use += 1) assertReplay(first, await tester.request(operation, options));
}

/** The effects of replays, and operations without replays. */
export const replays: Check[] = [
  check("IDEM-3", "no other operation uses an idempotency key", [
    ...casePerOperation(["rescheduleEmail"], ["rescheduleEmail"], async (tester) => {
      const headers = newIdempotencyKey(tester);
      const id = await schedule(tester);
      const options = { path: { id }, headers, body: { scheduled_at: secondsAhead(tester, 7200) } };
      await requestOk(tester, "rescheduleEmail", options);
      const scheduled_at = secondsAhead(tester, 10_800);
      assertNotReplayed(await requestOk(tester, "rescheduleEmail", { ...options, body: { scheduled_at } }));
      assertTimestamp(await lookUpMessage(tester, id), "scheduled_at", Date.parse(scheduled_at));
    }),
    testCase("getEmail and cancelEmail", { operation: "getEmail", needs: emailNeeds }, async (tester) => {
      const headers = newIdempotencyKey(tester);
      const id = await schedule(tester);
      assertNotReplayed(await requestOk(tester, "getEmail", { path: { id }, headers }));
      assertNotReplayed(await requestOk(tester, "cancelEmail", { path: { id }, headers }));
      const lookup = await requestOk(tester, "getEmail", { path: { id }, headers });
      assertNotReplayed(lookup);
      assertStatus(lookup, "canceled");
    }),
    testCase(
      "unsubscribeContact and getContact",
      { operation: "unsubscribeContact", needs: ["lists.plain"] },
      async (tester) => {
        const headers = newIdempotencyKey(tester);
        const [email, other] = [await addContact(tester), await addContact(tester)];
        await requestOk(tester, "unsubscribeContact", { path: { email }, headers, body: {} });
        const options = { path: { email: other }, headers };
        const body = { reason: "Another one" };
        assertNotReplayed(await requestOk(tester, "unsubscribeContact", { ...options, body }));
        const record = await requestOk(tester, "getContact", options);
        assertNotReplayed(record);
        assertProperty(record, "marketing_blocked", true);
      },
    ),
  ]),
  check("IDEM-8", "a replay has no effects", [
    countCase("sendEmail", "replayedSend", { operation: "sendEmail" }),
    countCase("sendBatch", "replayedBatch", { operation: "sendBatch" }),
    countCase("both, at the same time", "togetherWithKey", { operation: "sendEmail", core: false }),
  ]),
  atDueTime("IDEM-8", "a replay of a scheduled send, also of a canceled one, sends nothing", assertDueOnce),
  check(
    "IDEM-10",
    "a retry gets the original response if the first one was lost",
    { tags: ["clock"], needs: ["hooks.failNext"] },
    casePerOperation(idempotent, ["sendEmail"], async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await tester.hook("failNext", { failure: "cut", requests: 1 });
      const first = await tester.request(operation, options).catch(lostResponse);
      if (first !== undefined) assertFailNextWorked(first);
      const second =
        (await tester.request(operation, options).catch(lostResponse)) ??
        (await tester.request(operation, options));
      assertSuccess(second);
      assertReplayHeader(second);
      const third = await requestOk(tester, operation, options);
      assertEqual(third, "body of the first response", third.json, second.json);
    }),
  ),
  check(
    "IDEM-10",
    "a retry after a server failure succeeds",
    { tags: ["clock"], needs: ["hooks.failNext"] },
    casePerOperation(idempotent, [], async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await tester.hook("failNext", { failure: "503", requests: 1 });
      assertFailNextWorked(await tester.request(operation, options));
      assertSuccess(await tester.request(operation, options));
    }),
  ),
];

/** The response was lost, as intended: the client sends the request again. */
function lostResponse(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
