import { type Check, check, type Trial } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { given, must } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { beyond, byClock, hours, inFull, refusedTime, within } from "./changes.ts";
import { dueMessages } from "./due.ts";
import { gone, mailNeeds, untilGone } from "./journeys.ts";
import {
  equal,
  good,
  idIn,
  later,
  message,
  objectIn,
  refused,
  schedule,
  send,
  shown,
  simulated,
} from "./kit.ts";
import { hasTime, inOrder, isNull, lastOf, shows, statusIn } from "./records.ts";
import { atHand, scheduledMessage } from "./scheduled.ts";
import { scheduled } from "./scheduled-problems.ts";

const needs = mailNeeds;

const farAhead: Trial[] = [
  {
    title: "sendEmail: beyond it",
    operation: "sendEmail",
    core: true,
    run: async (tester) => {
      const body = message(tester, { scheduled_at: later(tester, beyond) });
      refused(await tester.ask("sendEmail", { body }), 422, "invalid_request");
    },
  },
  {
    title: "rescheduleEmail: beyond it",
    operation: "rescheduleEmail",
    core: true,
    run: async (tester) => refused((await refusedTime(tester)).answer, 422, "invalid_request"),
  },
  {
    title: "sendEmail: within it",
    operation: "sendEmail",
    run: async (tester) => {
      const id = await schedule(tester, within);
      await good(tester, "cancelEmail", { part: id });
    },
  },
  {
    title: "rescheduleEmail: within it",
    operation: "rescheduleEmail",
    run: async (tester) => {
      const part = await schedule(tester);
      await good(tester, "rescheduleEmail", { part, body: { scheduled_at: later(tester, within) } });
      await good(tester, "cancelEmail", { part });
    },
  },
];

/** A time with fractions of a second, as many clients write every time. */
const precise = (tester: Tester): string => later(tester, hours).replace("Z", ".000Z");

export const scheduling: Check[] = [
  check("SCHED-1", "a send with a scheduled_at waits for its time", { needs }, async (tester) => {
    const { look } = await scheduledMessage(tester);
    isNull(look, "sent_at", "before its time has come");
  }),
  check("SCHED-2", "a time lies no further ahead than the limit", { needs }, farAhead),
  check("GEN-6", "a time may have fractions of a second", { needs }, [
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
        await good(tester, "rescheduleEmail", { part, body: { scheduled_at: precise(tester) } });
      },
    },
  ]),
  check("SCHED-4", "the answer repeats the recorded time in UTC", { needs }, async (tester) => {
    const { answer, at } = await scheduledMessage(tester);
    atHand(answer, "scheduled_at", at);
    const { scheduled_at } = objectIn(answer);
    must(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), answer, {
      expected: "scheduled_at in UTC",
      found: shown(scheduled_at),
    });
  }),
  check("SCHED-5", "the answer to a scheduled send lists the suppressed recipients", { needs }, [
    {
      title: "one of two",
      core: true,
      needs: ["suppressed"],
      run: async (tester) => {
        const [none] = given(tester.settings.fixtures.suppressed, "suppressed");
        const answer = await scheduled(tester, { to: [simulated(tester), none] });
        equal(answer, "suppressed", objectIn(answer).suppressed, [none]);
      },
    },
    {
      title: "nobody",
      run: async (tester) => {
        const { answer } = await scheduledMessage(tester);
        equal(answer, "suppressed", objectIn(answer).suppressed, []);
      },
    },
  ]),
  check("SCHED-7", "a message taken for later is scheduled", { needs }, async (tester) => {
    shows((await scheduledMessage(tester)).look, "scheduled");
  }),
  check("SCHED-20", "a scheduled message goes out when its time comes", { needs }, [
    {
      title: "soon",
      core: true,
      run: async (tester) => {
        const { at, plain } = await dueMessages(tester);
        goesOutAt(lastOf(plain.looks), at);
      },
    },
  ]),
  check(
    "SCHED-20",
    "a scheduled message waits until its time comes, and goes out then",
    byClock,
    inFull(async (tester) => {
      const at = later(tester, 5 * hours);
      const part = idIn(await good(tester, "sendEmail", { body: message(tester, { scheduled_at: at }) }));
      await tester.hook("advanceClock", { seconds: 4 * hours });
      shows(await good(tester, "getEmail", { part }), "scheduled");
      await tester.hook("advanceClock", { seconds: 1.25 * hours });
      goesOutAt(lastOf(await untilGone(tester, part)), Date.parse(at));
    }),
  ),
  check(
    "SCHED-21",
    "the id of a scheduled message still finds it after it has gone out",
    { needs },
    async (tester) => {
      const { id, looks } = (await dueMessages(tester)).plain;
      const found = lastOf(looks);
      equal(found, "id", objectIn(found).id, id);
      shows(found, ...gone);
    },
  ),
];

/** A message has gone out, and not before its time. */
function goesOutAt(look: Exchange, at: number): void {
  shows(look, ...gone);
  // What a delayed message tells of its send is not said.
  if (statusIn(look) === "delayed") return;
  inOrder(look, ["its time", at], ["sent_at", hasTime(look, "sent_at")]);
}
