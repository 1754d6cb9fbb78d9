import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, type Need, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, type RequestOptions } from "../exchange.ts";
import {
  assertClientError,
  assertEqual,
  assertError,
  assertFieldError,
  assertProperty,
  assertRejected,
  bodyOf,
  format,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import {
  invalidCases,
  messageCases,
  senderCases,
  unknownSender,
  unpublishedTemplate,
} from "../support/message-cases.ts";
import {
  assertNull,
  assertOrder,
  assertReached,
  assertStatus,
  assertTime,
  assertTimestamp,
  cancel,
  emailNeeds,
  eventsOfType,
  idInBatch,
  latest,
  lookUpMessage,
  message,
  otherVerifiedSender,
  pollUntilSent,
  reschedule,
  type SimulatedRecipient,
  schedule,
  secondsAhead,
  send,
  senderOn,
  sentStatuses,
  stateOf,
  statusOf,
  trackedMessage,
} from "../support/messages.ts";
import { assertAtMost, assertDueOnce, dueQuota, turnOfMonth } from "../support/quota.ts";
import { newIdempotencyKey } from "../support/requests.ts";
import {
  beyondScheduleLimit,
  type ChangeOperation,
  canceledMessage,
  changeMessage,
  clockOptions,
  days,
  dueMessages,
  hour,
  rescheduledMessage,
  scheduledMessage,
  tooFarAhead,
  withinScheduleLimit,
} from "../support/scheduled-messages.ts";
import { everySuppressed, recipientFields } from "../support/suppressed-recipients.ts";

const limitCases: TestCase[] = [
  testCase("sendEmail beyond the limit", { operation: "sendEmail", core: true }, async (tester) => {
    const body = message(tester, { scheduled_at: secondsAhead(tester, beyondScheduleLimit) });
    assertFieldError(await tester.request("sendEmail", { body }), "scheduled_at");
  }),
  testCase("rescheduleEmail beyond the limit", { operation: "rescheduleEmail", core: true }, async (tester) =>
    assertFieldError((await tooFarAhead(tester)).response, "scheduled_at"),
  ),
  testCase("sendEmail within the limit", { operation: "sendEmail" }, async (tester) => {
    const id = await schedule(tester, withinScheduleLimit);
    await cancel(tester, id);
  }),
  testCase("rescheduleEmail within the limit", { operation: "rescheduleEmail" }, async (tester) => {
    const id = await schedule(tester);
    await reschedule(tester, id, withinScheduleLimit);
    await cancel(tester, id);
  }),
];

export const scheduling: Check[] = withNeeds(emailNeeds, [
  check("SCHED-1", "a send with scheduled_at waits for its time", [
    caseOf(scheduledMessage, "", ({ lookup }) => assertNull(lookup, "sent_at", "before its scheduled time")),
  ]),
  check("SCHED-2", "scheduled_at is at most the limit ahead", limitCases),
  check(
    ["SCHED-2", "SCHED-8"],
    "the limit of a new time counts from the request that sets it",
    { ...clockOptions, core: false },
    async (tester) => {
      const id = await schedule(tester, 4 * days);
      await tester.hook("advanceClock", { seconds: 2 * days });
      const scheduled_at = secondsAhead(tester, withinScheduleLimit);
      await reschedule(tester, id, scheduled_at);
      await cancel(tester, id);
    },
  ),
  check(
    ["GEN-6", "SCHED-4"],
    "scheduled_at may have fractions of a second",
    { operation: "sendEmail", core: false },
    (tester) => send(tester, { scheduled_at: secondsAhead(tester, hour).replace("Z", ".9999Z") }),
  ),
  check(
    "GEN-6",
    "scheduled_at is a text, not a number of seconds or milliseconds",
    { core: false },
    async (tester) => {
      const path = { id: (await scheduledMessage(tester)).id };
      for (const unit of [1000, 1]) {
        const body = { scheduled_at: Date.parse(secondsAhead(tester, hour)) / unit };
        assertFieldError(await tester.request("rescheduleEmail", { path, body }), "scheduled_at");
        assertFieldError(await tester.request("sendEmail", { body: message(tester, body) }), "scheduled_at");
      }
    },
  ),
  check("SCHED-4", "the response repeats the scheduled time in UTC", async (tester) => {
    const { response, at } = await scheduledMessage(tester);
    assertTimestamp(response, "scheduled_at", at);
    const { scheduled_at } = bodyOf(response);
    assert(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), response, {
      expected: "scheduled_at in UTC",
      found: format(scheduled_at),
    });
  }),
  check("SCHED-7", "a message accepted for later has the status scheduled", [
    caseOf(scheduledMessage, "", ({ lookup }) => assertStatus(lookup, "scheduled")),
  ]),
  check("SCHED-20", "a scheduled message is sent when it is due", { waits: true }, [
    caseOf(dueMessages, "soon", ({ at, plain }) => assertSentAt(latest(plain.lookups), at)),
  ]),
  check(
    "SCHED-20",
    "a scheduled message is not sent before it is due, and is sent then",
    { ...clockOptions, core: false },
    async (tester) => {
      const at = secondsAhead(tester, 5 * hour);
      const id = idOf(await requestOk(tester, "sendEmail", { body: message(tester, { scheduled_at: at }) }));
      await tester.hook("advanceClock", { seconds: 4 * hour });
      assertStatus(await lookUpMessage(tester, id), "scheduled");
      await tester.hook("advanceClock", { seconds: 1.25 * hour });
      assertSentAt(latest(await pollUntilSent(tester, id)), Date.parse(at));
    },
  ),
  check("SCHED-20", "a message scheduled for midnight is sent then", { tags: ["clock"] }, [
    caseOf(turnOfMonth, "", { core: false }, ({ due, dueAt }) => assertSentAt(due, dueAt)),
  ]),
  check("SCHED-21", "the id of a scheduled message still finds it after it is sent", async (tester) => {
    const { id, lookups } = (await dueMessages(tester)).plain;
    const found = latest(lookups);
    assertProperty(found, "id", id);
    assertReached(found, "dispatch", ...sentStatuses);
  }),
]);

/** Asserts that a message is sent, and not before this time. */
function assertSentAt(lookup: Exchange, at: number): void {
  assertReached(lookup, "dispatch", ...sentStatuses);
  // sent_at of a delayed message is unspecified.
  if (statusOf(lookup) === "delayed") return;
  assertOrder(lookup, ["scheduled time", at], ["sent_at", assertTime(lookup, "sent_at")]);
}

function assertNeverSent(lookup: Exchange): void {
  assertStatus(lookup, "canceled");
  assertNull(lookup, "sent_at", "for a canceled message");
}

/** Requests about a canceled message, by what they are. Their responses are unspecified. */
const afterCancel: Record<string, (tester: Tester, id: string, send: RequestOptions) => Promise<unknown>> = {
  "without further requests": async () => {},
  "after a reschedule": (tester, id) => changeMessage.rescheduleEmail(tester, id),
  "after an invalid reschedule": (tester, id) =>
    tester.request("rescheduleEmail", { path: { id }, body: { scheduled_at: "soon" } }),
  "after another cancel": (tester, id) => changeMessage.cancelEmail(tester, id),
  "after a replay of the send": (tester, _, send) => tester.request("sendEmail", send),
};

/** A message that is canceled, with other requests before and after that; returns its id. */
async function canceledWith(tester: Tester, title: string): Promise<string> {
  const body = message(tester, { scheduled_at: secondsAhead(tester, hour) });
  const send = { body, headers: newIdempotencyKey(tester) };
  const id = idOf(await requestOk(tester, "sendEmail", send));
  if (title === rescheduledBefore) await reschedule(tester, id, 2 * hour);
  await cancel(tester, id);
  await afterCancel[title]?.(tester, id, send);
  return id;
}

const rescheduledBefore = "rescheduled before";
const waysToCancel = [...Object.keys(afterCancel), rescheduledBefore];

/** Rescheduled and canceled messages. */
export const rescheduling: Check[] = withNeeds(emailNeeds, [
  check("SCHED-9", "a rescheduled message keeps its id and is scheduled for the new time", [
    testCase("the new time", { core: true }, async (tester) => {
      const { lookup, at } = await rescheduledMessage(tester);
      assertTimestamp(lookup, "scheduled_at", at);
      assertStatus(lookup, "scheduled");
    }),
    testCase("the same id", { core: true }, async (tester) => {
      const { id, lookup, response } = await rescheduledMessage(tester);
      assertProperty(lookup, "id", id);
      // Its properties are unspecified, and it may have no body.
      const { id: returned = id } = isObject(response.json) ? response.json : {};
      assertEqual(response, "id", returned, id);
    }),
    testCase("many times", async (tester) => {
      const id = await schedule(tester, 5 * hour);
      for (let ahead = 2; ahead <= 6; ahead += 1) {
        const scheduled_at = secondsAhead(tester, ahead * hour);
        await reschedule(tester, id, scheduled_at);
        for (const _ of [1, 2])
          assertTimestamp(await lookUpMessage(tester, id), "scheduled_at", Date.parse(scheduled_at));
      }
    }),
    testCase("not sent at the old time", { core: true }, async (tester) => {
      const { rescheduled } = await dueMessages(tester);
      assertStatus(rescheduled, "scheduled");
      assertNull(rescheduled, "sent_at", "before its new time");
    }),
  ]),
  check(
    "SCHED-10",
    "a message is sent only once, however often it is rescheduled",
    clockOptions,
    async (tester) => {
      const id = await schedule(tester, hour);
      for (const ahead of [2, 3]) await reschedule(tester, id, ahead * hour);
      for (const _ of [1, 2]) {
        await tester.hook("advanceClock", { seconds: 1.25 * hour });
        const lookup = await lookUpMessage(tester, id);
        const early = "number of events of type sent before the last scheduled time";
        assertEqual(lookup, early, eventsOfType(lookup, "sent").length, 0);
      }
      await tester.hook("advanceClock", { seconds: hour });
      const lookup = latest(await pollUntilSent(tester, id));
      assertEqual(lookup, "number of events of type sent", eventsOfType(lookup, "sent").length, 1);
    },
  ),
  check(
    "SCHED-10",
    "a message that is rescheduled counts toward the monthly quota once, at its last time",
    { tags: ["clock"] },
    [
      caseOf(dueQuota, "twice at the same time", { core: false }, assertDueOnce),
      caseOf(turnOfMonth, "to another day", { core: false }, ({ before, after }) =>
        assertAtMost(after, before, 3),
      ),
    ],
  ),
  check(["SCHED-13", "SCHED-16"], "a request without a body cancels a scheduled message", [
    caseOf(canceledMessage, "", ({ lookup }) => assertStatus(lookup, "canceled")),
  ]),
  check(["SCHED-13", "SCHED-14"], "a canceled message stays canceled and is never sent", [
    testCase("after its scheduled time", { core: true }, async (tester) => {
      assertNeverSent((await dueMessages(tester)).canceled);
    }),
    ...waysToCancel.map((title) =>
      testCase(title, async (tester) =>
        assertStatus(await lookUpMessage(tester, await canceledWith(tester, title)), "canceled"),
      ),
    ),
  ]),
  check(
    "SCHED-14",
    "a canceled message is not sent long after its scheduled time, whatever was requested before and after",
    { ...clockOptions, core: false },
    async (tester) => {
      const ids: string[] = [];
      for (const title of waysToCancel) ids.push(await canceledWith(tester, title));
      await tester.hook("advanceClock", { seconds: 48 * hour });
      for (const id of ids) assertNeverSent(await lookUpMessage(tester, id));
    },
  ),
]);

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

const scheduled = (title: string, ...needs: Need[]) => ({
  kinds: ["sendEmail, scheduled"] as const,
  title: `${title}, `,
  needs,
});

/** Invalid scheduled sends and how they are rejected. */
const problems: TestCase[] = [
  ...invalidCases("subject", (tester) => message(tester, { subject: undefined }), scheduled("no subject")),
  ...senderCases(unknownSender, [403, 422], scheduled("an unknown domain")),
  ...senderCases(senderOn("unfinished"), [409], scheduled("an unfinished domain", "domains.unfinished")),
  ...senderCases(otherVerifiedSender, [403], {
    ...scheduled("a domain outside the key's restriction", "keys.restricted", "domains.restricted"),
    key: "restricted",
  }),
  ...messageCases(
    (tester) => message(tester, everySuppressed(tester)),
    (exchange) => assertError(exchange, 422, "send_rejected", ...recipientFields),
    scheduled("all recipients suppressed", "suppressed"),
  ),
  ...invalidCases(
    "tags",
    (tester) => message(tester, { tags: { order: "1".repeat(limits.messageTagValueLength + 1) } }),
    scheduled("a tag value that is too long"),
  ),
  ...messageCases(
    unpublishedTemplate,
    (exchange) => assertClientError(exchange, "template_id"),
    scheduled("an unpublished template", "unpublishedTemplate"),
  ),
  ...messageCases(
    (tester) =>
      message(tester, { attachments: [{ filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" }] }),
    (exchange) => assertRejected(exchange, "attachments"),
    scheduled("an attachment in a private network"),
  ),
].map((one, index) => ({ ...one, core: index < 2 }));

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
