import { isObject } from "../../lib/objects.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import { assertEqual, bodyOf, idOf, requestOk } from "../support/assertions.ts";
import { dueMessages } from "../support/due-messages.ts";
import { newIdempotencyKey } from "../support/idempotency.ts";
import {
  assertNull,
  assertStatus,
  assertTimestamp,
  eventsOfType,
  latest,
} from "../support/message-records.ts";
import { emailNeeds, lookUpMessage, message, schedule, secondsAhead } from "../support/messages.ts";
import {
  canceledMessage,
  changeMessage,
  clockOptions,
  hour,
  rescheduledMessage,
} from "../support/scheduled-messages.ts";
import { pollUntilSent } from "../support/tracked-messages.ts";

/** Schedules a message and cancels it. */
async function scheduleAndCancel(tester: Tester): Promise<string> {
  const id = await schedule(tester, hour);
  await requestOk(tester, "cancelEmail", { path: { id } });
  return id;
}

/** Requests for a message that is canceled, and how it got there; each returns its id. */
const changesOfCanceled: Record<string, (tester: Tester) => Promise<string>> = {
  "without further requests": scheduleAndCancel,
  "after a reschedule": async (tester) => {
    const id = await scheduleAndCancel(tester);
    await changeMessage.rescheduleEmail(tester, id);
    return id;
  },
  "after an invalid reschedule": async (tester) => {
    const id = await scheduleAndCancel(tester);
    await tester.request("rescheduleEmail", { path: { id }, body: { scheduled_at: "soon" } });
    return id;
  },
  "after another cancel": async (tester) => {
    const id = await scheduleAndCancel(tester);
    await changeMessage.cancelEmail(tester, id);
    return id;
  },
  "after a replay of the send": async (tester) => {
    const body = message(tester, { scheduled_at: secondsAhead(tester, hour) });
    const options = { body, headers: newIdempotencyKey(tester) };
    const id = idOf(await requestOk(tester, "sendEmail", options));
    await requestOk(tester, "cancelEmail", { path: { id } });
    await tester.request("sendEmail", options);
    return id;
  },
  "rescheduled before": async (tester) => {
    const id = await schedule(tester, hour);
    await requestOk(tester, "rescheduleEmail", {
      path: { id },
      body: { scheduled_at: secondsAhead(tester, 2 * hour) },
    });
    await requestOk(tester, "cancelEmail", { path: { id } });
    return id;
  },
};

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
      assertEqual(lookup, "id", bodyOf(lookup).id, id);
      // Its properties are unspecified, and it may have no body.
      const { id: returned = id } = isObject(response.json) ? response.json : {};
      assertEqual(response, "id", returned, id);
    }),
    testCase("an earlier time", async (tester) => {
      const id = await schedule(tester, 5 * hour);
      const scheduled_at = secondsAhead(tester, 2 * hour);
      await requestOk(tester, "rescheduleEmail", { path: { id }, body: { scheduled_at } });
      const lookup = await lookUpMessage(tester, id);
      assertTimestamp(lookup, "scheduled_at", Date.parse(scheduled_at));
    }),
    testCase("not sent at the old time", { core: true }, async (tester) => {
      const { rescheduled: putOff } = await dueMessages(tester);
      assertStatus(putOff.lookup, "scheduled");
      assertNull(putOff.lookup, "sent_at", "before its new time");
    }),
  ]),
  check(
    "SCHED-10",
    "a message is sent only once, however often it is rescheduled",
    async (tester) => {
      const id = await schedule(tester, hour);
      for (const ahead of [2, 3]) {
        const body = { scheduled_at: secondsAhead(tester, ahead * hour) };
        await requestOk(tester, "rescheduleEmail", { path: { id }, body });
      }
      for (const _ of [1, 2]) {
        await tester.hook("advanceClock", { seconds: 1.25 * hour });
        const lookup = await lookUpMessage(tester, id);
        assertEqual(
          lookup,
          "number of events of type sent before the last scheduled time",
          eventsOfType(lookup, "sent").length,
          0,
        );
      }
      await tester.hook("advanceClock", { seconds: hour });
      const lookup = latest(await pollUntilSent(tester, id));
      assertEqual(lookup, "number of events of type sent", eventsOfType(lookup, "sent").length, 1);
    },
    clockOptions,
  ),
  check("SCHED-13", "a scheduled message can be canceled", [
    testCase("as submitted", { core: true }, async (tester) =>
      assertStatus((await canceledMessage(tester)).lookup, "canceled"),
    ),
    testCase("after a reschedule", async (tester) => {
      const id = await schedule(tester);
      await requestOk(tester, "rescheduleEmail", {
        path: { id },
        body: { scheduled_at: secondsAhead(tester, 2 * hour) },
      });
      await requestOk(tester, "cancelEmail", { path: { id } });
      assertStatus(await lookUpMessage(tester, id), "canceled");
    }),
  ]),
  check("SCHED-14", "a canceled message stays canceled and is never sent", [
    testCase("after its scheduled time", { core: true }, async (tester) => {
      const { lookup } = (await dueMessages(tester)).canceled;
      assertStatus(lookup, "canceled");
      assertNull(lookup, "sent_at", "for a canceled message");
    }),
    // The responses to these changes are unspecified.
    ...Object.entries(changesOfCanceled).map(([title, change]) =>
      testCase(title, async (tester) =>
        assertStatus(await lookUpMessage(tester, await change(tester)), "canceled"),
      ),
    ),
  ]),
  check(
    "SCHED-14",
    "a canceled message is not sent long after its scheduled time, whatever was requested before and after",
    notInCore(async (tester) => {
      const ids: string[] = [];
      for (const change of Object.values(changesOfCanceled)) ids.push(await change(tester));
      await tester.hook("advanceClock", { seconds: 48 * hour });
      for (const id of ids) {
        const lookup = await lookUpMessage(tester, id);
        assertStatus(lookup, "canceled");
        assertNull(lookup, "sent_at", "for a canceled message");
      }
    }),
    clockOptions,
  ),
  check("SCHED-16", "a request without a body cancels a message", async (tester) => {
    const { response } = await canceledMessage(tester);
    assert(isSuccess(response), response, { expected: "success", found: `status ${response.status}` });
  }),
]);
