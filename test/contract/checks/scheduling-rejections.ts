import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, idOf, requestOk } from "../support/assertions.ts";
import { dueMessages } from "../support/due-messages.ts";
import { assertStatus, latest, stateOf, statusOf } from "../support/message-records.ts";
import { emailNeeds, lookUpMessage, message } from "../support/messages.ts";
import {
  type ChangeOperation,
  changeMessage,
  changesByOtherAccount,
  tooFarAhead,
} from "../support/scheduled-messages.ts";
import { idInBatch } from "../support/sent-batch.ts";
import { pollUntilSent, trackedMessage } from "../support/tracked-messages.ts";

const needs = emailNeeds;

const tooLate = { rescheduleEmail: "not_reschedulable", cancelEmail: "not_cancellable" } as const;

/** Trials of a change that comes too late, for messages that have gone out in one way and another. */
const tooLateCases = (operation: ChangeOperation): TestCase[] =>
  Object.entries(sentMessages).map(([title, idOf], index) =>
    testCase(title, { operation, core: index === 0 }, async (tester) =>
      assertError(await changeMessage[operation](tester, await idOf(tester)), 409, tooLate[operation]),
    ),
  );

const sentMessages = {
  "a message that was delivered": async (tester: Tester) => (await trackedMessage(tester, "success")).id,
  "a message that bounced": async (tester: Tester) => (await trackedMessage(tester, "bounce")).id,
  "a message whose time has come": async (tester: Tester) => (await dueMessages(tester)).plain.id,
  "a message just sent": async (tester: Tester) =>
    idOf(await requestOk(tester, "sendEmail", { body: message(tester) })),
  "a message of a batch": async (tester: Tester) => {
    const id = await idInBatch(tester, "success");
    await pollUntilSent(tester, id);
    return id;
  },
};

/** Trials of a change to a message that there is not, or not on this account. */
const notFoundCases = (operation: ChangeOperation): TestCase[] => [
  testCase("an id that nobody has", { operation, core: true }, async (tester) =>
    assertError(await changeMessage[operation](tester, `sched_${tester.run.unique()}`), 404, "not_found"),
  ),
  testCase(
    "a scheduled message of another account",
    { operation, core: true, needs: ["keys.otherAccount", ...emailNeeds] },
    async (tester) => assertError((await changesByOtherAccount(tester))[operation], 404, "not_found"),
  ),
];

/** Changes that come too late, or that find no message. */
export const refusedChanges: Check[] = [
  check(
    "SCHED-11",
    "rescheduling a message that has gone out is refused with 409 not_reschedulable",
    tooLateCases("rescheduleEmail"),
    { needs },
  ),
  check(
    "SCHED-12",
    "rescheduling an id that no message of the account has is not found",
    notFoundCases("rescheduleEmail"),
  ),
  check(
    "SCHED-17",
    "canceling a message that has gone out is refused with 409 not_cancellable",
    tooLateCases("cancelEmail"),
    { needs },
  ),
  check(
    "SCHED-18",
    "canceling an id that no message of the account has is not found",
    notFoundCases("cancelEmail"),
  ),
  check(
    "SCHED-19",
    "a refused change of time or cancellation leaves the message as it was",
    [
      testCase("a time too far ahead", { core: true }, async (tester) => {
        const { before, response, after } = await tooFarAhead(tester);
        if (!isSuccess(response))
          assertEqual(after, "the message as it was,", stateOf(after), stateOf(before));
      }),
      testCase("a change of time that comes too late", { core: true }, (tester) =>
        assertUnchanged(tester, "rescheduleEmail"),
      ),
      testCase("a cancellation that comes too late", { core: true }, (tester) =>
        assertUnchanged(tester, "cancelEmail"),
      ),
      testCase("by another account", { core: true, needs: ["keys.otherAccount"] }, async (tester) => {
        const { lookup } = await changesByOtherAccount(tester);
        assertStatus(lookup, "scheduled");
      }),
    ],
    { needs },
  ),
];

/** A message that has come to its end stays as it is, whatever is options of it. */
async function assertUnchanged(tester: Tester, operation: ChangeOperation): Promise<void> {
  const { id, lookups } = await trackedMessage(tester, "success");
  if (statusOf(latest(lookups)) !== "delivered") throw new NotVerified("No message has come to its end.");
  const response = await changeMessage[operation](tester, id);
  // That it is not refused breaks another promise.
  if (isSuccess(response)) return;
  const after = await lookUpMessage(tester, id);
  assertEqual(after, "the message as it was,", stateOf(after), stateOf(latest(lookups)));
}
