import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import { byClock, change, hours, inFull } from "./changes.ts";
import { dueMessages } from "./due.ts";
import { mailNeeds, untilGone } from "./journeys.ts";
import { assertEqual, bodyOf, requestOk, schedule, secondsAhead } from "./kit.ts";
import { eventsIn, isNull, lastOf, shows } from "./records.ts";
import { atHand, canceledMessage, rescheduledMessage } from "./scheduled.ts";

const needs = mailNeeds;

/** What becomes of a message whose time is changed, and of one that is canceled. */
export const rescheduling: Check[] = [
  check(
    "SCHED-9",
    "a rescheduled message keeps its id and stays scheduled, at the new time",
    [
      {
        title: "the new time",
        core: true,
        run: async (tester) => {
          const { look, at } = await rescheduledMessage(tester);
          atHand(look, "scheduled_at", at);
          shows(look, "scheduled");
        },
      },
      {
        title: "the same id",
        core: true,
        run: async (tester) => {
          const { id, look, answer } = await rescheduledMessage(tester);
          assertEqual(look, "id", bodyOf(look).id, id);
          const { id: told = id } = bodyOf(answer);
          assertEqual(answer, "id", told, id);
        },
      },
      {
        title: "an earlier time",
        run: async (tester) => {
          const part = await schedule(tester, 5 * hours);
          const scheduled_at = secondsAhead(tester, 2 * hours);
          await requestOk(tester, "rescheduleEmail", { path: { id: part }, body: { scheduled_at } });
          const look = await requestOk(tester, "getEmail", { path: { id: part } });
          atHand(look, "scheduled_at", Date.parse(scheduled_at));
        },
      },
      {
        title: "not at the old time",
        core: true,
        run: async (tester) => {
          const { putOff } = await dueMessages(tester);
          shows(putOff.look, "scheduled");
          isNull(putOff.look, "sent_at", "before its new time has come");
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-10",
    "a message goes out once only, however often it is rescheduled",
    async (tester) => {
      const part = await schedule(tester, hours);
      for (const ahead of [2, 3]) {
        const body = { scheduled_at: secondsAhead(tester, ahead * hours) };
        await requestOk(tester, "rescheduleEmail", { path: { id: part }, body });
      }
      for (const _ of [1, 2]) {
        await tester.hook("advanceClock", { seconds: 1.25 * hours });
        const look = await requestOk(tester, "getEmail", { path: { id: part } });
        assertEqual(
          look,
          "the number of events of the type sent before the last time",
          eventsIn(look, "sent").length,
          0,
        );
      }
      await tester.hook("advanceClock", { seconds: hours });
      const look = lastOf(await untilGone(tester, part));
      assertEqual(look, "the number of events of the type sent", eventsIn(look, "sent").length, 1);
    },
    byClock,
  ),
  check(
    "SCHED-13",
    "a scheduled message can be canceled and is then canceled",
    [
      {
        title: "as it was handed in",
        core: true,
        run: async (tester) => shows((await canceledMessage(tester)).look, "canceled"),
      },
      {
        title: "after a change of its time",
        run: async (tester) => {
          const part = await schedule(tester);
          await requestOk(tester, "rescheduleEmail", {
            path: { id: part },
            body: { scheduled_at: secondsAhead(tester, 2 * hours) },
          });
          await requestOk(tester, "cancelEmail", { path: { id: part } });
          shows(await requestOk(tester, "getEmail", { path: { id: part } }), "canceled");
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-14",
    "a canceled message stays canceled and is never sent",
    [
      {
        title: "when its time has passed",
        core: true,
        run: async (tester) => {
          const { look } = (await dueMessages(tester)).canceled;
          shows(look, "canceled");
          isNull(look, "sent_at", "for a message that was canceled");
        },
      },
      {
        title: "whatever is asked of it",
        run: async (tester) => {
          const { id: part } = await canceledMessage(tester);
          // What these answer is not said.
          await change.rescheduleEmail(tester, part);
          await change.cancelEmail(tester, part);
          shows(await requestOk(tester, "getEmail", { path: { id: part } }), "canceled");
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-14",
    "a canceled message is not sent when its time has long passed",
    inFull(async (tester) => {
      const part = await schedule(tester, hours);
      await requestOk(tester, "cancelEmail", { path: { id: part } });
      await tester.hook("advanceClock", { seconds: 48 * hours });
      const look = await requestOk(tester, "getEmail", { path: { id: part } });
      shows(look, "canceled");
      isNull(look, "sent_at", "for a message that was canceled");
    }),
    byClock,
  ),
  check(
    "SCHED-16",
    "a message is canceled by a request without a body",
    async (tester) => {
      const { answer } = await canceledMessage(tester);
      assert(isSuccess(answer), answer, { expected: "success", found: `status ${answer.status}` });
    },
    { needs },
  ),
];
