import { assert, configured } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { beyond, byClock, hours, inFull, refusedTime, within } from "./changes.ts";
import { dueMessages } from "./due.ts";
import { gone, mailNeeds, untilGone } from "./journeys.ts";
import {
  assertEqual,
  assertError,
  bodyOf,
  format,
  idOf,
  message,
  requestOk,
  schedule,
  secondsAhead,
  send,
  simulatedRecipient,
} from "./kit.ts";
import { hasTime, inOrder, isNull, lastOf, shows, statusIn } from "./records.ts";
import { atHand, scheduledMessage } from "./scheduled.ts";
import { scheduled } from "./scheduled-problems.ts";

const needs = mailNeeds;

const farAhead: TestCase[] = [
  {
    title: "sendEmail: beyond it",
    operation: "sendEmail",
    core: true,
    run: async (tester) => {
      const body = message(tester, { scheduled_at: secondsAhead(tester, beyond) });
      assertError(await tester.request("sendEmail", { body }), 422, "invalid_request");
    },
  },
  {
    title: "rescheduleEmail: beyond it",
    operation: "rescheduleEmail",
    core: true,
    run: async (tester) => assertError((await refusedTime(tester)).answer, 422, "invalid_request"),
  },
  {
    title: "sendEmail: within it",
    operation: "sendEmail",
    run: async (tester) => {
      const id = await schedule(tester, within);
      await requestOk(tester, "cancelEmail", { path: { id } });
    },
  },
  {
    title: "rescheduleEmail: within it",
    operation: "rescheduleEmail",
    run: async (tester) => {
      const part = await schedule(tester);
      await requestOk(tester, "rescheduleEmail", {
        path: { id: part },
        body: { scheduled_at: secondsAhead(tester, within) },
      });
      await requestOk(tester, "cancelEmail", { path: { id: part } });
    },
  },
];

/** A time with fractions of a second, as many clients write every time. */
const precise = (tester: Tester): string => secondsAhead(tester, hours).replace("Z", ".000Z");

export const scheduling: Check[] = [
  check(
    "SCHED-1",
    "a send with a scheduled_at waits for its time",
    async (tester) => {
      const { look } = await scheduledMessage(tester);
      isNull(look, "sent_at", "before its time has come");
    },
    { needs },
  ),
  check("SCHED-2", "a time lies no further ahead than the limit", farAhead, { needs }),
  check(
    "GEN-6",
    "a time may have fractions of a second",
    [
      {
        title: "sendEmail",
        operation: "sendEmail",
        core: false,
        run: (tester) => send(tester, { scheduled_at: precise(tester) }),
      },
      {
        title: "rescheduleEmail",
        operation: "rescheduleEmail",
        core: false,
        run: async (tester) => {
          const part = await schedule(tester);
          await requestOk(tester, "rescheduleEmail", {
            path: { id: part },
            body: { scheduled_at: precise(tester) },
          });
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-4",
    "the answer repeats the recorded time in UTC",
    async (tester) => {
      const { answer, at } = await scheduledMessage(tester);
      atHand(answer, "scheduled_at", at);
      const { scheduled_at } = bodyOf(answer);
      assert(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), answer, {
        expected: "scheduled_at in UTC",
        found: format(scheduled_at),
      });
    },
    { needs },
  ),
  check(
    "SCHED-5",
    "the answer to a scheduled send lists the suppressed recipients",
    [
      {
        title: "one of two",
        core: true,
        needs: ["suppressed"],
        run: async (tester) => {
          const [none] = configured(tester.settings.fixtures.suppressed, "suppressed");
          const answer = await scheduled(tester, { to: [simulatedRecipient(tester), none] });
          assertEqual(answer, "suppressed", bodyOf(answer).suppressed, [none]);
        },
      },
      {
        title: "nobody",
        run: async (tester) => {
          const { answer } = await scheduledMessage(tester);
          assertEqual(answer, "suppressed", bodyOf(answer).suppressed, []);
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-7",
    "a message taken for later is scheduled",
    async (tester) => {
      shows((await scheduledMessage(tester)).look, "scheduled");
    },
    { needs },
  ),
  check(
    "SCHED-20",
    "a scheduled message goes out when its time comes",
    [
      {
        title: "soon",
        core: true,
        run: async (tester) => {
          const { at, plain } = await dueMessages(tester);
          goesOutAt(lastOf(plain.looks), at);
        },
      },
    ],
    { needs },
  ),
  check(
    "SCHED-20",
    "a scheduled message waits until its time comes, and goes out then",
    inFull(async (tester) => {
      const at = secondsAhead(tester, 5 * hours);
      const part = idOf(
        await requestOk(tester, "sendEmail", { body: message(tester, { scheduled_at: at }) }),
      );
      await tester.hook("advanceClock", { seconds: 4 * hours });
      shows(await requestOk(tester, "getEmail", { path: { id: part } }), "scheduled");
      await tester.hook("advanceClock", { seconds: 1.25 * hours });
      goesOutAt(lastOf(await untilGone(tester, part)), Date.parse(at));
    }),
    byClock,
  ),
  check(
    "SCHED-21",
    "the id of a scheduled message still finds it after it has gone out",
    async (tester) => {
      const { id, looks } = (await dueMessages(tester)).plain;
      const found = lastOf(looks);
      assertEqual(found, "id", bodyOf(found).id, id);
      shows(found, ...gone);
    },
    { needs },
  ),
];

/** A message has gone out, and not before its time. */
function goesOutAt(look: Exchange, at: number): void {
  shows(look, ...gone);
  // What a delayed message tells of its send is not said.
  if (statusIn(look) === "delayed") return;
  inOrder(look, ["its time", at], ["sent_at", hasTime(look, "sent_at")]);
}
