import { assert } from "../engine/assert.ts";
import { type Check, check, notInCore, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertFieldError, bodyOf, format, idOf, requestOk } from "../support/assertions.ts";
import { dueMessages } from "../support/due-messages.ts";
import {
  assertNull,
  assertOrder,
  assertStatus,
  assertTime,
  assertTimestamp,
  latest,
  statusOf,
} from "../support/message-records.ts";
import { emailNeeds, lookUpMessage, message, schedule, secondsAhead, send } from "../support/messages.ts";
import {
  beyondScheduleLimit,
  clockOptions,
  days,
  hour,
  scheduledMessage,
  tooFarAhead,
  withinScheduleLimit,
  withOffset,
} from "../support/scheduled-messages.ts";
import { pollUntilSent, sentStatuses } from "../support/tracked-messages.ts";

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
    await requestOk(tester, "cancelEmail", { path: { id } });
  }),
  testCase("rescheduleEmail within the limit", { operation: "rescheduleEmail" }, async (tester) => {
    const id = await schedule(tester);
    await requestOk(tester, "rescheduleEmail", {
      path: { id },
      body: { scheduled_at: secondsAhead(tester, withinScheduleLimit) },
    });
    await requestOk(tester, "cancelEmail", { path: { id } });
  }),
];

/** Times that are on the other side of the limit if their offset is ignored. */
const offsetCases: TestCase[] = [
  testCase("beyond the limit", { core: false }, async (tester) => {
    const at = Date.parse(secondsAhead(tester, beyondScheduleLimit));
    const body = message(tester, { scheduled_at: withOffset(at, "-") });
    assertFieldError(await tester.request("sendEmail", { body }), "scheduled_at");
  }),
  testCase("within the limit", { core: false }, async (tester) => {
    const at = Date.parse(secondsAhead(tester, withinScheduleLimit));
    const id = await send(tester, { scheduled_at: withOffset(at, "+") });
    await requestOk(tester, "cancelEmail", { path: { id } });
  }),
];

/** A time with fractions of a second, as many clients write it. */
const withMilliseconds = (tester: Tester): string => secondsAhead(tester, hour).replace("Z", ".000Z");

export const scheduling: Check[] = withNeeds(emailNeeds, [
  check("SCHED-1", "a send with scheduled_at waits for its time", async (tester) => {
    const { lookup } = await scheduledMessage(tester);
    assertNull(lookup, "sent_at", "before its scheduled time");
  }),
  check("SCHED-2", "scheduled_at is at most the limit ahead", limitCases),
  check("SCHED-2", "the limit applies to times with a UTC offset", offsetCases),
  check(
    "SCHED-2",
    "the limit of a new time counts from the request that sets it",
    notInCore(async (tester) => {
      const id = await schedule(tester, 4 * days);
      await tester.hook("advanceClock", { seconds: 2 * days });
      const scheduled_at = secondsAhead(tester, withinScheduleLimit);
      await requestOk(tester, "rescheduleEmail", { path: { id }, body: { scheduled_at } });
      await requestOk(tester, "cancelEmail", { path: { id } });
    }),
    clockOptions,
  ),
  check("GEN-6", "scheduled_at may have fractions of a second", [
    testCase("sendEmail", { operation: "sendEmail", core: false }, (tester) =>
      send(tester, { scheduled_at: withMilliseconds(tester) }),
    ),
    testCase("rescheduleEmail", { operation: "rescheduleEmail", core: false }, async (tester) => {
      const id = await schedule(tester);
      await requestOk(tester, "rescheduleEmail", {
        path: { id },
        body: { scheduled_at: withMilliseconds(tester) },
      });
    }),
  ]),
  check("SCHED-4", "the response repeats the scheduled time in UTC", async (tester) => {
    const { response, at } = await scheduledMessage(tester);
    assertTimestamp(response, "scheduled_at", at);
    const { scheduled_at } = bodyOf(response);
    assert(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), response, {
      expected: "scheduled_at in UTC",
      found: format(scheduled_at),
    });
  }),
  check("SCHED-5", "the response to a scheduled send lists the suppressed recipients", [
    testCase("nobody", async (tester) => {
      const { response } = await scheduledMessage(tester);
      assertEqual(response, "suppressed", bodyOf(response).suppressed, []);
    }),
  ]),
  check("SCHED-7", "a message accepted for later has the status scheduled", async (tester) => {
    assertStatus((await scheduledMessage(tester)).lookup, "scheduled");
  }),
  check(
    "SCHED-20",
    "a scheduled message is sent when it is due",
    [
      testCase("soon", { core: true }, async (tester) => {
        const { at, plain } = await dueMessages(tester);
        assertSentAt(latest(plain.lookups), at);
      }),
    ],
    { waits: true },
  ),
  check(
    "SCHED-20",
    "a scheduled message is not sent before it is due, and is sent then",
    notInCore(async (tester) => {
      const at = secondsAhead(tester, 5 * hour);
      const id = idOf(await requestOk(tester, "sendEmail", { body: message(tester, { scheduled_at: at }) }));
      await tester.hook("advanceClock", { seconds: 4 * hour });
      assertStatus(await lookUpMessage(tester, id), "scheduled");
      await tester.hook("advanceClock", { seconds: 1.25 * hour });
      assertSentAt(latest(await pollUntilSent(tester, id)), Date.parse(at));
    }),
    clockOptions,
  ),
  check("SCHED-21", "the id of a scheduled message still finds it after it is sent", async (tester) => {
    const { id, lookups } = (await dueMessages(tester)).plain;
    const found = latest(lookups);
    assertEqual(found, "id", bodyOf(found).id, id);
    assertStatus(found, ...sentStatuses);
  }),
]);

/** Asserts that a message is sent, and not before this time. */
function assertSentAt(lookup: Exchange, at: number): void {
  assertStatus(lookup, ...sentStatuses);
  // sent_at of a delayed message is unspecified.
  if (statusOf(lookup) === "delayed") return;
  assertOrder(lookup, ["scheduled time", at], ["sent_at", assertTime(lookup, "sent_at")]);
}
