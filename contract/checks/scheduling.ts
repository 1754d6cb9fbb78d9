import { isObject } from "../../lib/objects.ts";
import { assert, ifInRun, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, scenario, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, type RequestOptions } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertFieldError,
  assertProperty,
  bodyOf,
  format,
  idOf,
  requestOk,
} from "../support/assertions.ts";
import { messageCases, rejectedMessages, senderCases } from "../support/message-cases.ts";
import {
  assertNull,
  assertOrder,
  assertStatus,
  assertTime,
  assertTimestamp,
  cancel,
  emailNeeds,
  eventsOfType,
  hour,
  idInBatch,
  latest,
  lookUpMessage,
  message,
  otherVerifiedSender,
  pollMessage,
  pollUntilSent,
  reschedule,
  type SimulatedRecipient,
  schedule,
  secondsAhead,
  send,
  sentStatuses,
  stateOf,
  statusOf,
  trackedMessage,
} from "../support/messages.ts";
import { assertDueOnce, atDueTime, atTurnOfMonth } from "../support/quota.ts";
import { atOnce } from "../support/races.ts";
import { assertQuotaUsed } from "../support/rate-limit.ts";
import { newIdempotencyKey } from "../support/requests.ts";
import {
  beyondScheduleLimit,
  type ChangeOperation,
  canceledMessage,
  changeMessage,
  clockOptions,
  days,
  dueMessages,
  rescheduledMessage,
  scheduledMessage,
  tooFarAhead,
  withinScheduleLimit,
} from "../support/scheduled-messages.ts";

export const scheduling: Check[] = withNeeds(emailNeeds, [
  check("SCHED-1", "a send with scheduled_at waits for its time", [
    caseOf(scheduledMessage, "", ({ lookup }) => assertNull(lookup, "sent_at", "before its scheduled time")),
  ]),
  check("SCHED-2", "scheduled_at is at most the limit ahead", [
    testCase("sendEmail beyond the limit", { operation: "sendEmail", core: true }, async (tester) => {
      const body = message(tester, { scheduled_at: secondsAhead(tester, beyondScheduleLimit) });
      assertFieldError(await tester.request("sendEmail", { body }), "scheduled_at");
    }),
    caseOf(tooFarAhead, "rescheduleEmail beyond it", { operation: "rescheduleEmail" }, ({ response }) =>
      assertFieldError(response, "scheduled_at"),
    ),
  ]),
  check(
    ["SCHED-2", "SCHED-8"],
    "the limit of a new time counts from the request that sets it",
    { ...clockOptions, core: false },
    async (tester) => {
      const id = await schedule(tester, 4 * days);
      await tester.hook("advanceClock", { seconds: 2 * days });
      await reschedule(tester, id, secondsAhead(tester, withinScheduleLimit));
      await cancel(tester, id);
    },
  ),
  check("GEN-6", "scheduled_at is a text, not a number", { core: false }, async (tester) => {
    const path = { id: (await scheduledMessage(tester)).id };
    for (const unit of [1000, 1]) {
      const body = { scheduled_at: Date.parse(secondsAhead(tester, hour)) / unit };
      const moved = await ifInRun(tester.request("rescheduleEmail", { path, body }));
      if (moved !== undefined) assertFieldError(moved, "scheduled_at");
      assertFieldError(await tester.request("sendEmail", { body: message(tester, body) }), "scheduled_at");
    }
  }),
  check("SCHED-4", "the response repeats the scheduled time in UTC", async (tester) => {
    const { response, at } = await scheduledMessage(tester);
    assertTimestamp(response, "scheduled_at", at);
    const { scheduled_at } = bodyOf(response);
    assert(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), response, {
      expected: "scheduled_at in UTC",
      found: format(scheduled_at),
    });
  }),
  atTurnOfMonth("SCHED-4", "the response repeats a time on the 31st", ({ crossing, end }) =>
    assertTimestamp(crossing, "scheduled_at", end - 1000),
  ),
  check("SCHED-7", "a message accepted for later has the status scheduled", [
    caseOf(scheduledMessage, "", ({ lookup }) => assertStatus(lookup, "scheduled")),
  ]),
  check("SCHED-20", "a scheduled message is sent when it is due", { waits: true }, [
    caseOf(dueMessages, "soon", ({ at, plain }) => assertSentAt(latest(plain.lookups), at)),
  ]),
  atTurnOfMonth("SCHED-20", "a message scheduled for midnight is sent then", ({ due, dueAt }) =>
    assertSentAt(due, dueAt),
  ),
  check("SCHED-21", "the id of a scheduled message still finds it after it is sent", async (tester) => {
    const { id, lookups } = (await dueMessages(tester)).plain;
    const found = latest(lookups);
    assertProperty(found, "id", id);
    assertStatus(found, sentStatuses, "dispatch");
  }),
]);

function assertSentAt(lookup: Exchange, at: number): void {
  assertStatus(lookup, sentStatuses, "dispatch");
  // sent_at of a delayed message is unspecified.
  if (statusOf(lookup) === "delayed") return;
  assertOrder(lookup, ["scheduled time", at], ["sent_at", assertTime(lookup, "sent_at")]);
}

function assertNeverSent(lookup: Exchange): void {
  assertStatus(lookup, "canceled");
  assertNull(lookup, "sent_at", "for a canceled message");
}

/** Requests about a canceled message. Their responses are unspecified. */
const afterCancel: ((tester: Tester, id: string, send: RequestOptions) => Promise<unknown>)[] = [
  async () => {},
  (tester, id) => changeMessage.rescheduleEmail(tester, id),
  (tester, id) => tester.request("rescheduleEmail", { path: { id }, body: { scheduled_at: "soon" } }),
  (tester, id) => changeMessage.cancelEmail(tester, id),
  (tester, _, send) => tester.request("sendEmail", send),
];

export const rescheduling: Check[] = withNeeds(emailNeeds, [
  check("SCHED-9", "a rescheduled message keeps its id and is scheduled for the new time", [
    caseOf(rescheduledMessage, "the new time", ({ lookup, at }) => {
      assertTimestamp(lookup, "scheduled_at", at);
      assertStatus(lookup, "scheduled");
    }),
    caseOf(rescheduledMessage, "the same id", ({ id, lookup, response }) => {
      assertProperty(lookup, "id", id);
      // Its properties are unspecified, and it may have no body.
      const { id: returned = id } = isObject(response.json) ? response.json : {};
      assertEqual(response, "id", returned, id);
    }),
    testCase("many times", async (tester) => {
      const id = await schedule(tester, 5 * hour);
      for (let ahead = 2; ahead <= 11; ahead += 1) {
        const scheduled_at = secondsAhead(tester, ahead * hour);
        await reschedule(tester, id, scheduled_at);
        for (const _ of [4, 11].includes(ahead) ? [1, 2] : [])
          assertTimestamp(await lookUpMessage(tester, id), "scheduled_at", Date.parse(scheduled_at));
      }
    }),
    caseOf(dueMessages, "not sent at the old time", ({ rescheduled }) => {
      assertStatus(rescheduled, "scheduled");
      assertNull(rescheduled, "sent_at", "before its new time");
    }),
  ]),
  check("SCHED-10", "a message that is rescheduled is sent only once", clockOptions, async (tester) => {
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
    assertStatus(lookup, sentStatuses, "dispatch");
    assertEqual(lookup, "number of events of type sent", eventsOfType(lookup, "sent").length, 1);
  }),
  atDueTime("SCHED-10", "a message that is rescheduled twice at the same time counts once", assertDueOnce),
  atTurnOfMonth("SCHED-10", "a message rescheduled to another day counts once", ({ before, after }) =>
    assertQuotaUsed(after, before, 3, true),
  ),
  check(["SCHED-13", "SCHED-16"], "a request without a body cancels a scheduled message", [
    caseOf(canceledMessage, "", ({ lookup }) => assertStatus(lookup, "canceled")),
  ]),
  check(["SCHED-13", "SCHED-14"], "a canceled message stays canceled and is never sent", [
    caseOf(dueMessages, "after its scheduled time", ({ canceled }) => assertNeverSent(canceled)),
  ]),
  check(
    ["SCHED-13", "SCHED-14"],
    "a canceled message stays canceled long after its scheduled time, whatever was requested before, beside and after",
    { ...clockOptions, core: false },
    async (tester) => {
      const ids: string[] = [];
      for (const request of afterCancel) {
        const body = message(tester, { scheduled_at: secondsAhead(tester, hour) });
        const send = { body, headers: newIdempotencyKey(tester) };
        const id = idOf(await requestOk(tester, "sendEmail", send));
        // Some of them without a reschedule, and some beside it.
        if (ids.length === 0) await ifInRun(reschedule(tester, id, 2 * hour));
        const isBeside = ids.length % 2 === 1 && isInRun(tester.settings, "rescheduleEmail");
        const move = isBeside ? [changeMessage.rescheduleEmail] : [];
        const changes = [...move, cancel];
        await atOnce((ids.length === 1 ? changes : changes.toReversed()).map((change) => change(tester, id)));
        await ifInRun(request(tester, id, send));
        ids.push(id);
      }
      await tester.hook("advanceClock", { seconds: 48 * hour });
      for (const id of ids) assertNeverSent(await lookUpMessage(tester, id));
    },
  ),
]);

const tooLate = { rescheduleEmail: "not_reschedulable", cancelEmail: "not_cancellable" } as const;

/** The simulated recipients whose messages have a specified final status. */
const finalStates = [
  ["success", "delivered"],
  ["bounce", "bounced"],
  ["complaint", "complained"],
] as const;

const lateChange = (operation: ChangeOperation, local: SimulatedRecipient) =>
  scenario(`${operation} of a message to ${local}`, emailNeeds, async (tester) => {
    const { id, last } = await trackedMessage(local)(tester);
    return { id, last, response: await changeMessage[operation](tester, id) };
  });

const tooLateCases = (operation: ChangeOperation): TestCase[] => {
  const assertTooLate = (exchange: Exchange): void =>
    assertError(exchange, 409, tooLate[operation], "scheduled_at");
  return [
    ...finalStates.map(([local, status]) =>
      caseOf(
        lateChange(operation, local),
        `a ${status} message`,
        { operation, core: local === "success" },
        ({ response }) => assertTooLate(response),
      ),
    ),
    ...Object.entries(sentMessages).map(([title, idOf]) =>
      testCase(title, { operation, core: false }, async (tester) =>
        assertTooLate(await changeMessage[operation](tester, await idOf(tester))),
      ),
    ),
  ];
};

const sentMessages = {
  "a scheduled message after its time": async (tester: Tester) => (await dueMessages(tester)).plain.id,
  "a message that was just sent": (tester: Tester) => send(tester),
  "a message of a batch": async (tester: Tester) => {
    const id = await idInBatch(tester, "success");
    await pollUntilSent(tester, id);
    return id;
  },
};

const kinds = ["sendEmail, scheduled"] as const;

/** Invalid scheduled sends and how they are rejected. */
const problems: TestCase[] = [
  ...rejectedMessages.flatMap(({ title, needs = [], messageOf, assertRejection }, index) =>
    messageCases(messageOf, assertRejection, { title: `${title}, `, needs, kinds, core: index < 2 }),
  ),
  ...senderCases(otherVerifiedSender, [403], {
    title: "a domain outside the key's restriction, ",
    needs: ["keys.restricted", "domains.restricted"],
    kinds,
    key: "restricted",
    core: false,
  }),
];

const asBefore = "the message as before the rejected request:";

/** Changes that are too late or whose message does not exist. */
export const rejectedChanges: Check[] = withNeeds(emailNeeds, [
  check(
    "SCHED-11",
    "rescheduling a sent message is rejected with 409 not_reschedulable",
    tooLateCases("rescheduleEmail"),
  ),
  check(
    "SCHED-17",
    "canceling a sent message is rejected with 409 not_cancellable",
    tooLateCases("cancelEmail"),
  ),
  check("SCHED-19", "a rejected reschedule or cancel leaves the message unchanged", [
    caseOf(tooFarAhead, "a time too far ahead", ({ before, response, after }) => {
      if (!isSuccess(response)) assertEqual(after, asBefore, stateOf(after), stateOf(before));
    }),
    testCase("a message on its way", { core: false }, async (tester) => {
      const id = await send(tester);
      const both = [changeMessage.rescheduleEmail, changeMessage.cancelEmail];
      for (const change of both) {
        const response = await ifInRun(change(tester, id));
        // A success fails another check.
        if (response && isSuccess(response)) return;
      }
      const isDelivered = (status: string): boolean => status === "delivered";
      assertStatus(latest(await pollMessage(tester, id, isDelivered, "delivery")), "delivered", "delivery");
    }),
    testCase("a canceled message", { core: false }, async (tester) => {
      const { id, lookup } = await canceledMessage(tester);
      const response = await changeMessage.rescheduleEmail(tester, id);
      const after = await lookUpMessage(tester, id);
      // The response is unspecified.
      if (!isSuccess(response)) assertEqual(after, asBefore, stateOf(after), stateOf(lookup));
    }),
    ...finalStates.flatMap(([local, status]) =>
      (["rescheduleEmail", "cancelEmail"] as const).map((operation) =>
        caseOf(
          lateChange(operation, local),
          `${operation} of a ${status} message`,
          { core: local === "success" },
          async ({ id, last, response }, tester) => {
            if (statusOf(last) !== status) throw new NotVerified("No message reached this status.");
            const after = await lookUpMessage(tester, id);
            // A success fails another check.
            if (!isSuccess(response)) assertEqual(after, asBefore, stateOf(after), stateOf(last));
          },
        ),
      ),
    ),
  ]),
  check("SCHED-6", "a scheduled message is validated completely when it is submitted", problems),
]);
