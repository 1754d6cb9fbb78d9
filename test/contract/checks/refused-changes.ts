import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { idInBatch } from "./batches.ts";
import { byAnother, type Change, change, refusedTime } from "./changes.ts";
import { dueMessages } from "./due.ts";
import { journey, mailNeeds, untilGone } from "./journeys.ts";
import { assertEqual, assertError, idOf, message, requestOk } from "./kit.ts";
import { lastOf, shows, statusIn } from "./records.ts";
import { stateIn } from "./scheduled.ts";

const needs = mailNeeds;

const tooLate = { rescheduleEmail: "not_reschedulable", cancelEmail: "not_cancellable" } as const;

/** Trials of a change that comes too late, for messages that have gone out in one way and another. */
const comesTooLate = (operation: Change): TestCase[] =>
  Object.entries(messagesGone).map(([title, idOf], index) => ({
    title,
    operation,
    core: index === 0,
    run: async (tester) =>
      assertError(await change[operation](tester, await idOf(tester)), 409, tooLate[operation]),
  }));

const messagesGone = {
  "a message that was delivered": async (tester: Tester) => (await journey(tester, "success")).id,
  "a message that bounced": async (tester: Tester) => (await journey(tester, "bounce")).id,
  "a message whose time has come": async (tester: Tester) => (await dueMessages(tester)).plain.id,
  "a message just sent": async (tester: Tester) =>
    idOf(await requestOk(tester, "sendEmail", { body: message(tester) })),
  "a message of a batch": async (tester: Tester) => {
    const id = await idInBatch(tester, "success");
    await untilGone(tester, id);
    return id;
  },
};

/** Trials of a change to a message that there is not, or not on this account. */
const findsNone = (operation: Change): TestCase[] => [
  {
    title: "an id that nobody has",
    operation,
    core: true,
    run: async (tester) =>
      assertError(await change[operation](tester, `sched_${tester.run.unique()}`), 404, "not_found"),
  },
  {
    title: "a scheduled message of another account",
    operation,
    core: true,
    needs: ["keys.otherAccount", ...mailNeeds],
    run: async (tester) => assertError((await byAnother(tester))[operation], 404, "not_found"),
  },
];

/** Changes that come too late, or that find no message. */
export const refusedChanges: Check[] = [
  check(
    "SCHED-11",
    "rescheduling a message that has gone out is refused with 409 not_reschedulable",
    comesTooLate("rescheduleEmail"),
    { needs },
  ),
  check(
    "SCHED-12",
    "rescheduling an id that no message of the account has is not found",
    findsNone("rescheduleEmail"),
  ),
  check(
    "SCHED-17",
    "canceling a message that has gone out is refused with 409 not_cancellable",
    comesTooLate("cancelEmail"),
    { needs },
  ),
  check(
    "SCHED-18",
    "canceling an id that no message of the account has is not found",
    findsNone("cancelEmail"),
  ),
  check(
    "SCHED-19",
    "a refused change of time or cancellation leaves the message as it was",
    [
      {
        title: "a time too far ahead",
        core: true,
        run: async (tester) => {
          const { before, answer, after } = await refusedTime(tester);
          if (!isSuccess(answer))
            assertEqual(after, "the message as it was,", stateIn(after), stateIn(before));
        },
      },
      {
        title: "a change of time that comes too late",
        core: true,
        run: (tester) => stays(tester, "rescheduleEmail"),
      },
      {
        title: "a cancellation that comes too late",
        core: true,
        run: (tester) => stays(tester, "cancelEmail"),
      },
      {
        title: "by another account",
        core: true,
        needs: ["keys.otherAccount"],
        run: async (tester) => {
          const { look } = await byAnother(tester);
          shows(look, "scheduled");
        },
      },
    ],
    { needs },
  ),
];

/** A message that has come to its end stays as it is, whatever is asked of it. */
async function stays(tester: Tester, operation: Change): Promise<void> {
  const { id: part, looks } = await journey(tester, "success");
  if (statusIn(lastOf(looks)) !== "delivered") throw new NotVerified("No message has come to its end.");
  const answer = await change[operation](tester, part);
  // That it is not refused breaks another promise.
  if (isSuccess(answer)) return;
  const after = await requestOk(tester, "getEmail", { path: { id: part } });
  assertEqual(after, "the message as it was,", stateIn(after), stateIn(lastOf(looks)));
}
