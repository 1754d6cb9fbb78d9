import { limits } from "../../generated/limits.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase } from "../engine/check.ts";
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
  emailNeeds,
  idInBatch,
  latest,
  lookUpMessage,
  message,
  otherVerifiedSender,
  pollUntilSent,
  type SimulatedRecipient,
  sendBy,
  senderOn,
  stateOf,
  statusOf,
  templateMessage,
  trackedMessage,
} from "../support/messages.ts";
import {
  type ChangeOperation,
  changeMessage,
  dueMessages,
  tooFarAhead,
} from "../support/scheduled-messages.ts";
import { assertSenderRejected, senderCases, unknownSender } from "../support/senders.ts";
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

const scheduled = (tester: Tester, changes: Record<string, unknown>): Promise<Exchange> =>
  sendBy(tester, "sendEmail, scheduled", [message(tester, changes)]);

const kinds = ["sendEmail, scheduled"] as const;

/** Invalid scheduled sends and how they are rejected. */
const problems: TestCase[] = [
  testCase("without a subject", { core: true }, async (tester) => {
    assertFieldError(await scheduled(tester, { subject: undefined }), "subject");
  }),
  ...senderCases(unknownSender, assertSenderRejected(403, 422), { kinds, title: "an unknown domain, " }),
  ...senderCases(senderOn("unfinished"), assertSenderRejected(409), {
    kinds,
    title: "a domain with unfinished verification, ",
    needs: ["domains.unfinished"],
  }),
  ...senderCases(otherVerifiedSender, assertSenderRejected(403), {
    kinds,
    title: "a domain outside the key's restriction, ",
    key: "restricted",
    needs: ["keys.restricted", "domains.restricted"],
  }),
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
    const body = templateMessage(tester, draft);
    assertClientError(await sendBy(tester, "sendEmail, scheduled", [body]), "template_id");
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
    "SCHED-17",
    "canceling a sent message is rejected with 409 not_cancellable",
    { needs: emailNeeds },
    tooLateCases("cancelEmail"),
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
