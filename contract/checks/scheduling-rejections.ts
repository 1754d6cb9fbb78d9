import { limits } from "../../generated/limits.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  assertClientError,
  assertEqual,
  assertError,
  assertFieldError,
  assertRejected,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import {
  assertStatus,
  emailNeeds,
  idInBatch,
  latest,
  lookUpMessage,
  message,
  otherVerifiedSender,
  pollUntilSent,
  type SimulatedRecipient,
  secondsAhead,
  senderOn,
  stateOf,
  statusOf,
  templateMessage,
  trackedMessage,
} from "../support/messages.ts";
import {
  type ChangeOperation,
  changeMessage,
  changesByOtherAccount,
  dueMessages,
  hour,
  tooFarAhead,
} from "../support/scheduled-messages.ts";
import { everySuppressed, recipientFields } from "../support/suppressed-recipients.ts";

const tooLate = { rescheduleEmail: "not_reschedulable", cancelEmail: "not_cancellable" } as const;

/** Changes of messages that are already sent. */
const tooLateCases = (operation: ChangeOperation): TestCase[] =>
  Object.entries(sentMessages).map(([title, idOf], index) =>
    testCase(title, { operation, core: index === 0 }, async (tester) =>
      assertError(
        await changeMessage[operation](tester, await idOf(tester)),
        409,
        tooLate[operation],
        "scheduled_at",
      ),
    ),
  );

const sentMessages = {
  "a delivered message": async (tester: Tester) => (await trackedMessage("success")(tester)).id,
  "a bounced message": async (tester: Tester) => (await trackedMessage("bounce")(tester)).id,
  "a complained message": async (tester: Tester) => (await trackedMessage("complaint")(tester)).id,
  "a scheduled message after its time": async (tester: Tester) => (await dueMessages(tester)).plain.id,
  "a message that was just sent": async (tester: Tester) =>
    idOf(await requestOk(tester, "sendEmail", { body: message(tester) })),
  "a message of a batch": async (tester: Tester) => {
    const id = await idInBatch(tester, "success");
    await pollUntilSent(tester, id);
    return id;
  },
};

/** Changes of messages that do not exist or belong to another account. */
const notFoundCases = (operation: ChangeOperation): TestCase[] => [
  testCase("a nonexistent id", { operation, core: true }, async (tester) =>
    assertError(await changeMessage[operation](tester, `sched_${tester.run.unique()}`), 404, "not_found"),
  ),
  caseOf(
    changesByOtherAccount,
    "a scheduled message of another account",
    { operation },
    ({ [operation]: exchange }) => assertError(exchange, 404, "not_found"),
  ),
];

const scheduled = (tester: Tester, changes: Record<string, unknown>, key: Role = "full"): Promise<Exchange> =>
  tester.request("sendEmail", {
    key,
    body: message(tester, { scheduled_at: secondsAhead(tester, hour), ...changes }),
  });

const assertSendRejected = (exchange: Exchange, ...statuses: number[]): void =>
  assertError(exchange, statuses, "send_rejected", "from");

/** Invalid scheduled sends and how they are rejected. */
const problems: TestCase[] = [
  testCase("without a subject", { core: true }, async (tester) => {
    const { subject: _, ...body } = message(tester, { scheduled_at: secondsAhead(tester, hour) });
    assertFieldError(await tester.request("sendEmail", { body }), "subject");
  }),
  testCase("the domain of from does not belong to the account", { core: true }, async (tester) => {
    const from = `contract@contract-${tester.run.settings.runId}.example`;
    assertSendRejected(await scheduled(tester, { from }), 403, 422);
  }),
  testCase("from a domain with unfinished verification", { needs: ["domains.unfinished"] }, async (tester) =>
    assertSendRejected(await scheduled(tester, { from: senderOn("unfinished")(tester) }), 409),
  ),
  testCase(
    "from a domain outside the key's restriction",
    { needs: ["keys.restricted", "domains.restricted"] },
    async (tester) =>
      assertSendRejected(await scheduled(tester, { from: otherVerifiedSender(tester) }, "restricted"), 403),
  ),
  testCase("all recipients are suppressed", { needs: ["suppressed"] }, async (tester) => {
    const response = await scheduled(tester, everySuppressed(tester));
    assertError(response, 422, "send_rejected", ...recipientFields);
  }),
  testCase("with a tag value that is too long", async (tester) => {
    const tags = { order: "1".repeat(limits.messageTagValueLength + 1) };
    assertFieldError(await scheduled(tester, { tags }), "tags");
  }),
  testCase("from an unpublished template", { needs: ["unpublishedTemplate"] }, async (tester) => {
    const draft = configured(tester.settings.fixtures.unpublishedTemplate, "unpublishedTemplate");
    const body = { ...templateMessage(tester, draft), scheduled_at: secondsAhead(tester, hour) };
    assertClientError(await tester.request("sendEmail", { body }), "template_id");
  }),
  testCase("with an attachment in a private network", async (tester) => {
    const attachments = [{ filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" }];
    assertRejected(await scheduled(tester, { attachments }), "attachments");
  }),
];

/** The simulated recipients whose messages have a specified final status. */
const finalStates = [
  ["success", "delivered"],
  ["bounce", "bounced"],
  ["complaint", "complained"],
] as const;

/** Changes that are too late or whose message does not exist. */
export const rejectedChanges: Check[] = [
  check(
    "SCHED-11",
    "rescheduling a sent message is rejected with 409 not_reschedulable",
    { needs: emailNeeds },
    tooLateCases("rescheduleEmail"),
  ),
  check(
    "SCHED-12",
    "rescheduling an id of no message of the account is rejected with 404 not_found",
    notFoundCases("rescheduleEmail"),
  ),
  check(
    "SCHED-17",
    "canceling a sent message is rejected with 409 not_cancellable",
    { needs: emailNeeds },
    tooLateCases("cancelEmail"),
  ),
  check(
    "SCHED-18",
    "canceling an id of no message of the account is rejected with 404 not_found",
    notFoundCases("cancelEmail"),
  ),
  check("SCHED-19", "a rejected reschedule or cancel leaves the message unchanged", { needs: emailNeeds }, [
    caseOf(tooFarAhead, "a time too far ahead", ({ before, response, after }) => {
      if (!isSuccess(response)) assertEqual(after, "the unchanged message", stateOf(after), stateOf(before));
    }),
    ...finalStates.flatMap(([local, status]) =>
      (["rescheduleEmail", "cancelEmail"] as const).map((operation) =>
        testCase(
          `a ${operation.replace("Email", "")} of a ${status} message`,
          { core: local === "success" },
          (tester) => assertUnchanged(tester, operation, local, status),
        ),
      ),
    ),
    caseOf(changesByOtherAccount, "a request of another account", ({ lookup }) =>
      assertStatus(lookup, "scheduled"),
    ),
  ]),
  check(
    "SCHED-6",
    "a scheduled message is validated completely when it is submitted",
    { needs: emailNeeds },
    problems,
  ),
];

/** A message in a final status stays unchanged. */
async function assertUnchanged(
  tester: Tester,
  operation: ChangeOperation,
  local: SimulatedRecipient,
  status: string,
): Promise<void> {
  const { id, lookups } = await trackedMessage(local)(tester);
  if (statusOf(latest(lookups)) !== status) throw new NotVerified("No message reached this status.");
  const response = await changeMessage[operation](tester, id);
  // A success fails another check.
  if (isSuccess(response)) return;
  const after = await lookUpMessage(tester, id);
  assertEqual(after, "the unchanged message", stateOf(after), stateOf(latest(lookups)));
}
