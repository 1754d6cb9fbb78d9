import { isCancel, isReschedule, isScheduled as isScheduledSend, timeOf } from "./email.ts";
import { day, iso, lookupAt, withPast } from "./history.ts";
import { type Applies, changeRequests, type Mutant, type RequirementId } from "./mutant.ts";
import { objectOf } from "./newsletter.ts";
import {
  both,
  hasCopies,
  ignoresCancel,
  ignoresMove,
  inBatchFrom,
  isMoved,
  isScheduled,
  onItsWay,
  records,
  type Which,
} from "./past.ts";
import { withFields } from "./requests.ts";

export const ofMoves: Mutant[] = [
  ignoresMove(
    "a new time is ignored if it is the first time again",
    ({ times: [first, ...later] }, _, time) => later.length > 0 && time === first,
  ),
];

export const ofCancels: Mutant[] = [
  ignoresCancel(
    "the cancellation of a message that was moved to an earlier time has no effect",
    ({ times }) => times.length > 1 && (times.at(-1) ?? 0) < (times[0] ?? 0),
  ),
  records(
    "SCHED-14",
    "a message that is moved and canceled is sent at its new time",
    both(isMoved, ({ canceled }) => canceled),
    (record, { times }, now) =>
      now > (times.at(-1) ?? 0) ? { ...record, status: "sent", sent_at: iso(times.at(-1) ?? 0) } : record,
  ),
  records(
    "SCHED-14",
    "a canceled message with copies is sent when it is due",
    both(hasCopies, ({ canceled }) => canceled),
    (record, { times: [first = 0] }, now) =>
      now > first ? { ...record, status: "sent", sent_at: iso(first) } : record,
  ),
];

const offset = /([+-])(\d\d):(\d\d)$/;

/** Misreads a time with an offset. */
const misreads = (
  requirement: RequirementId,
  title: string,
  applies: Applies,
  read: (time: string) => string,
): Mutant =>
  changeRequests(requirement, title, (request) => {
    const { scheduled_at: time } = objectOf(request.body);
    return applies(request) && typeof time === "string" && offset.test(time) && !Number.isNaN(timeOf(time))
      ? withFields(request, { scheduled_at: read(time) })
      : undefined;
  });

const negative = (time: string): string => time.replace(/-(\d\d:\d\d)$/, "+$1");
const wholeHours = (time: string): string => time.replace(/:\d\d$/, ":00");

export const ofOffsets: Mutant[] = (
  [
    ["SCHED-4", "a scheduled send", isScheduledSend],
    ["SCHED-9", "a reschedule", isReschedule],
  ] as const
).flatMap(([requirement, what, applies]) => [
  misreads(
    requirement,
    `an offset west of Greenwich in ${what} is read as one east of it`,
    applies,
    negative,
  ),
  misreads(requirement, `the minutes of an offset in ${what} are ignored`, applies, wholeHours),
]);

/** A change that is too late, but succeeds. */
const tooLate = (
  requirement: "SCHED-11" | "SCHED-17",
  title: string,
  applies: Applies,
  which: Which,
): Mutant =>
  withPast(requirement, title, async (request, next, { history }) => {
    const message = history.messageOf(request);
    const response = await next(request);
    if (!applies(request) || response.status !== 409 || message === undefined || !which(message, request))
      return response;
    const found = await next(lookupAt(request));
    return { ...found, body: requirement === "SCHED-17" ? { status: "canceled" } : {} };
  });
const notCanceled =
  (which: Which): Which =>
  (message, request) =>
    !message.canceled && which(message, request);

export const ofLateChanges: Mutant[] = [
  tooLate(
    "SCHED-11",
    "a message of a batch can be rescheduled once it is sent",
    isReschedule,
    inBatchFrom(0),
  ),
  tooLate("SCHED-17", "a message of a batch can be canceled once it is sent", isCancel, inBatchFrom(0)),
  tooLate(
    "SCHED-11",
    "a moved message can be rescheduled once it is sent",
    isReschedule,
    notCanceled(isMoved),
  ),
  tooLate(
    "SCHED-17",
    "a scheduled message with copies can be canceled once it is sent",
    isCancel,
    notCanceled(both(isScheduled, hasCopies)),
  ),
];

export const ofRules: Mutant[] = [
  withPast("SCHED-2", "a second new time can be beyond the limit", (request, next, { history, context }) => {
    const message = history.messageOf(request);
    const time = timeOf(objectOf(request.body).scheduled_at);
    const isFar =
      isReschedule(request) && message && isMoved(message, request) && time > context.now() + 30 * day;
    return next(isFar ? withFields(request, { scheduled_at: iso(context.now() + 29 * day) }) : request);
  }),
  withPast(
    "SCHED-19",
    "a rejected new time moves a moved message back to its first time",
    async (request, next, { history }) => {
      const message = history.messageOf(request);
      const response = await next(request);
      if (isReschedule(request) && response.status === 422 && message && isMoved(message, request))
        await next({ ...request, body: { scheduled_at: iso(message.times[0] ?? 0) } });
      return response;
    },
  ),
  records("SCHED-20", "a moved message stays queued when it is due", isMoved, (record) =>
    record.sent_at !== null ? { ...onItsWay(record), status: "queued", sent_at: null, events: [] } : record,
  ),
];
