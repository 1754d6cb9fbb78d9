import { type Check, check, testCase } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import {
  assertEqual,
  assertFailNextWorked,
  assertSuccess,
  bodyOf,
  requestOk,
} from "../support/assertions.ts";
import { addContact, getContact, membershipOf, newContact } from "../support/contacts.ts";
import {
  assertNotReplayed,
  casePerIdempotentOperation,
  coreOnlyFor,
  needs,
  newIdempotencyKey,
  requestWithKey,
} from "../support/idempotency.ts";
import { assertStatus, assertTimestamp } from "../support/message-records.ts";
import { lookUpMessage, schedule, secondsAhead } from "../support/messages.ts";
import { quotaNeeds } from "../support/quota-account.ts";
import { assertNotCharged, measurements } from "../support/quota-charges.ts";

/** The effects of replays, and operations without replays. */
export const replays: Check[] = [
  check("IDEM-3", "no other operation uses an idempotency key", [
    testCase("rescheduleEmail", { operation: "rescheduleEmail", core: true, needs }, async (tester) => {
      const headers = newIdempotencyKey(tester);
      const id = await schedule(tester);
      await requestOk(tester, "rescheduleEmail", {
        path: { id },
        headers,
        body: { scheduled_at: secondsAhead(tester, 7200) },
      });
      const scheduled_at = secondsAhead(tester, 10_800);
      assertNotReplayed(
        await requestOk(tester, "rescheduleEmail", { path: { id }, headers, body: { scheduled_at } }),
      );
      const lookup = await lookUpMessage(tester, id);
      assertTimestamp(lookup, "scheduled_at", Date.parse(scheduled_at));
    }),
    testCase("getEmail and cancelEmail", { operation: "getEmail", needs }, async (tester) => {
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
        const body = { reason: "Another one" };
        assertNotReplayed(
          await requestOk(tester, "unsubscribeContact", { path: { email: other }, headers, body }),
        );
        const record = await requestOk(tester, "getContact", { path: { email: other }, headers });
        assertNotReplayed(record);
        assertEqual(record, "marketing_blocked", bodyOf(record).marketing_blocked, true);
      },
    ),
  ]),
  check("IDEM-8", "a replay has no effects", [
    testCase("sendEmail", { operation: "sendEmail", core: true, needs: quotaNeeds }, async (tester) =>
      assertNotCharged(await measurements(tester), "replayedSend", "a replayed send"),
    ),
    testCase("sendBatch", { operation: "sendBatch", core: true, needs: quotaNeeds }, async (tester) =>
      assertNotCharged(await measurements(tester), "replayedBatch", "a replayed batch"),
    ),
    testCase(
      "upsertContact",
      { operation: "upsertContact", core: true, needs: ["lists.plain"] },
      assertNoUpdateReplayed,
    ),
  ]),
  check(
    "IDEM-10",
    "a retry gets the original response if the first one was lost",
    coreOnlyFor(
      casePerIdempotentOperation(async (tester, operation) => {
        const options = await requestWithKey(tester, operation);
        await tester.hook("failNext", { failure: "cut", requests: 1 });
        const first = await tester.request(operation, options).catch(lostResponse);
        if (first !== undefined) assertFailNextWorked(first);
        const second =
          (await tester.request(operation, options).catch(lostResponse)) ??
          (await tester.request(operation, options));
        assertSuccess(second);
        assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        const third = await requestOk(tester, operation, options);
        assertEqual(third, "body of the first response", third.json, second.json);
      }),
      "sendEmail",
    ),
    { tags: ["clock"], needs: ["hooks.failNext"] },
  ),
  check(
    "IDEM-10",
    "a retry after a server failure succeeds",
    coreOnlyFor(
      casePerIdempotentOperation(async (tester, operation) => {
        const options = await requestWithKey(tester, operation);
        await tester.hook("failNext", { failure: "503", requests: 1 });
        assertFailNextWorked(await tester.request(operation, options));
        assertSuccess(await tester.request(operation, options));
      }),
    ),
    { tags: ["clock"], needs: ["hooks.failNext"] },
  ),
];

/** The response was lost, as intended: the client sends the request again. */
function lostResponse(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

/** A change made after the first request survives its replay. */
async function assertNoUpdateReplayed(tester: Tester): Promise<void> {
  const list_id = tester.settings.fixtures.lists?.plain;
  const body = { email: newContact(tester), list_id, first_name: "First" };
  const options = { body, headers: newIdempotencyKey(tester) };
  await requestOk(tester, "upsertContact", options);
  await requestOk(tester, "upsertContact", { body: { ...body, first_name: "Second" } });
  await tester.request("upsertContact", options);
  const membership = membershipOf(await getContact(tester, body.email), list_id);
  assertEqual(tester.exchanges.at(-1), "first_name", membership?.first_name, "Second");
}
