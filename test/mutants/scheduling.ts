import {
  acceptsSend,
  changeRecords,
  changeSendResponses,
  idOf,
  isCancel,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSuppressed,
  stateful,
  timeOf,
  to,
  unsent,
} from "./email.ts";
import { success } from "./fault-support.ts";
import { day, hour, iso, lookupAt, withPast } from "./history.ts";
import {
  type Applies,
  type Mutant,
  type RequirementId,
  remembers,
  respondInstead,
  shows,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import {
  both,
  hasCopies,
  ignoresCancel,
  inBatchFrom,
  isMoved,
  onItsWay,
  records,
  type Which,
} from "./past.ts";
import { withFields, withKey } from "./requests.ts";

export const ofTimes: Mutant[] = [
  changeRecords("SCHED-1", "a scheduled message is sent immediately", (record) =>
    record.status === "scheduled" ? { ...record, sent_at: iso(timeOf(record.scheduled_at) - hour) } : record,
  ),
  takes("SCHED-2", "a message can be rescheduled beyond the limit", (request, { now }) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isReschedule(request) && timeOf(scheduled_at) - now() > 30 * day;
    return isFar ? { ...request, body: { scheduled_at: iso(now() + 29 * day) } } : request;
  }),
  // Source: from experience (months of 30 days)
  changeSendResponses(
    "SCHED-4",
    "the last day of a long month is returned as the first of the next one",
    (body) =>
      new Date(timeOf(body.scheduled_at)).getUTCDate() === 31
        ? { ...body, scheduled_at: iso(timeOf(body.scheduled_at) + day) }
        : body,
    isScheduled,
  ),
  stateful("SCHED-3", "the id of a scheduled message has no prefix", () => async (request, next) => {
    const isBare = request.path.startsWith("/api/v1/emails/late_");
    const path = isBare ? request.path.replace("/late_", "/sched_") : request.path;
    const response = await next({ ...request, path });
    const { id } = objectOf(response.body);
    const applies = isSuccess(response) && (isScheduled(request) || (isBare && typeof id === "string"));
    return applies ? withFields(response, { id: String(id).replace("sched_", "late_") }) : response;
  }),
  acceptsSend("SCHED-6", "a scheduled message to only suppressed recipients", (body) =>
    "scheduled_at" in body && listOf(body.to).every(isSuppressed) ? { ...body, to } : undefined,
  ),
];

export const ofGoingOut: Mutant[] = [
  changeRecords("SCHED-20", "a scheduled message is never sent", (record) =>
    record.scheduled_at === null ? record : { ...unsent(record), events: [] },
  ),
  shows("SCHED-21", "a scheduled message is not found after it is sent", (response, request) =>
    isMessageLookup(request) &&
    objectOf(response.body).sent_at !== null &&
    idOf(request).startsWith("sched_") &&
    isSuccess(response)
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];

export const reschedulingMutants: Mutant[] = [
  takes("SCHED-8", "accepts a reschedule without a time", (request) =>
    isReschedule(request) && !("scheduled_at" in objectOf(request.body))
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  takes("SCHED-8", "accepts a number as the new time", (request) =>
    isReschedule(request) && typeof objectOf(request.body).scheduled_at === "number"
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  respondInstead("SCHED-8", "rejects a new time with an offset", (request) =>
    isReschedule(request) && /[+-]\d\d:\d\d$/.test(String(objectOf(request.body).scheduled_at))
      ? errorResponse(422, "invalid_request", "scheduled_at")
      : undefined,
  ),
  records("SCHED-9", "a message cannot be rescheduled to an earlier time", isMoved, (record, { times }) => {
    const time = times.at(-1) ?? 0;
    const isEarlier = record.status === "scheduled" && time - Date.now() < 2.5 * hour;
    return isEarlier ? { ...record, scheduled_at: iso(time + 3 * hour) } : record;
  }),
  stateful("SCHED-9", "a rescheduled message is sent at its old time", ({ now }) => {
    const old = new Map<string, number>();
    return async (request, next) => {
      if (isReschedule(request)) {
        const { body } = await next({ ...request, method: "GET", body: undefined });
        old.set(idOf(request), timeOf(objectOf(body).scheduled_at));
      }
      const response = await next(request);
      const time = old.get(idOf(request)) ?? Number.POSITIVE_INFINITY;
      const record = objectOf(response.body);
      return isMessageLookup(request) && record.status === "scheduled" && time < now()
        ? { ...response, body: { ...record, status: "sent", sent_at: iso(time) } }
        : response;
    };
  }),
  stateful("SCHED-11", "a bounced message can be rescheduled", () => async (request, next) => {
    const response = await next(request);
    if (!isReschedule(request) || response.status !== 409) return response;
    const { body } = await next({ ...request, method: "GET", body: undefined });
    return objectOf(body).status === "bounced" ? success(response, 200, {}) : response;
  }),
  stateful("SCHED-12", "another account can reschedule a message", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    return isReschedule(request) && response.status === 404
      ? next(withKey(request, bearer("full")))
      : response;
  }),
];

export const ofCanceling: Mutant[] = [
  stateful("SCHED-14", "rescheduling reactivates a canceled message", () => {
    const back = new Set<string>();
    return async (request, next) => {
      if (isReschedule(request)) back.add(idOf(request));
      const response = await next(request);
      const record = objectOf(response.body);
      return isMessageLookup(request) && record.status === "canceled" && back.has(idOf(request))
        ? { ...response, body: { ...record, status: "scheduled" } }
        : response;
    };
  }),
  shows("SCHED-15", "the response to a cancel has the status cancelled", (response, request) =>
    isCancel(request) && isSuccess(response) ? { ...response, body: { status: "cancelled" } } : undefined,
  ),
  respondInstead("SCHED-16", "rejects a cancel without a body", (request) =>
    isCancel(request) && request.body === undefined
      ? errorResponse(422, "invalid_request", "body")
      : undefined,
  ),
  shows("SCHED-18", "returns success for a cancel of a nonexistent id", (response, request) =>
    isCancel(request) && response.status === 404 ? success(response, 200, { status: "canceled" }) : undefined,
  ),
  stateful("SCHED-18", "another account can cancel a message", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    return isCancel(request) && response.status === 404 ? next(withKey(request, bearer("full"))) : response;
  }),
];

/** A rejected request changes the message. */
const changing = (
  title: string,
  applies: typeof isMessageLookup,
  change: (record: Json, rejectedBody: Json) => Json,
): Mutant =>
  remembers("SCHED-19", title, ({ bearer }) => {
    const rejectedBodies = new Map<string, Json>();
    return (response, request) => {
      if (applies(request) && response.status >= 400)
        rejectedBodies.set(idOf(request), objectOf(request.body));
      const rejectedBody = rejectedBodies.get(idOf(request));
      const isOwn = request.headers.authorization === bearer("full");
      return isMessageLookup(request) && isSuccess(response) && rejectedBody !== undefined && isOwn
        ? { ...response, body: change(objectOf(response.body), rejectedBody) }
        : response;
    };
  });

const isTooFar: typeof isMessageLookup = (request) =>
  isReschedule(request) && timeOf(objectOf(request.body).scheduled_at) - Date.now() > 30 * day;

export const ofLeaving: Mutant[] = [
  changing("a reschedule with an invalid time stores it", isTooFar, (record, { scheduled_at }) =>
    record.status === "scheduled" ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("a rejected reschedule moves a canceled message", isReschedule, (record, { scheduled_at }) =>
    record.status === "canceled" ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("a cancel of another account returns 404, but cancels", isCancel, (record) =>
    record.status === "scheduled" ? { ...record, status: "canceled" } : record,
  ),
];

/** A rejected cancel changes the record of a message in a final status. */
export const ofSent: Mutant[] = ["delivered", "bounced", "complained"].map((status) =>
  remembers("SCHED-19", `a rejected cancel changes a ${status} message`, () => {
    const rejected = new Set<string>();
    return (response, request) => {
      if (isCancel(request) && !isSuccess(response)) rejected.add(idOf(request));
      const record = objectOf(response.body);
      return isMessageLookup(request) && record.status === status && rejected.has(idOf(request))
        ? { ...response, body: { ...record, status: "canceled" } }
        : response;
    };
  }),
);

export const returnsSuccess: Mutant[] = (
  [
    ["SCHED-11", "rescheduled", isReschedule, {}],
    ["SCHED-17", "canceled", isCancel, { status: "canceled" }],
  ] as const
).map(([requirement, what, by, body]) =>
  stateful(requirement, `a complained message can be ${what}`, () => async (request, next) => {
    const response = await next(request);
    if (!by(request) || response.status !== 409) return response;
    const found = await next({ ...request, method: "GET", body: undefined });
    return objectOf(found.body).status === "complained" ? { ...found, body } : response;
  }),
);

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
  takes(requirement, title, (request) => {
    const { scheduled_at: time } = objectOf(request.body);
    return applies(request) && typeof time === "string" && offset.test(time) && !Number.isNaN(timeOf(time))
      ? withFields(request, { scheduled_at: read(time) })
      : undefined;
  });

const negative = (time: string): string => time.replace(/-(\d\d:\d\d)$/, "+$1");
const wholeHours = (time: string): string => time.replace(/:\d\d$/, ":00");

export const ofOffsets: Mutant[] = (
  [
    ["SCHED-4", "a scheduled send", isScheduled],
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

export const ofLateChanges: Mutant[] = [
  tooLate(
    "SCHED-11",
    "a message of a batch can be rescheduled once it is sent",
    isReschedule,
    inBatchFrom(0),
  ),
  tooLate("SCHED-17", "a message of a batch can be canceled once it is sent", isCancel, inBatchFrom(0)),
];

export const ofRules: Mutant[] = [
  withPast("SCHED-2", "a second new time can be beyond the limit", (request, next, { history, context }) => {
    const message = history.messageOf(request);
    const time = timeOf(objectOf(request.body).scheduled_at);
    const isFar =
      isReschedule(request) && message && isMoved(message, request) && time > context.now() + 30 * day;
    return next(isFar ? withFields(request, { scheduled_at: iso(context.now() + 29 * day) }) : request);
  }),
  records("SCHED-20", "a moved message stays queued when it is due", isMoved, (record) =>
    record.sent_at !== null ? { ...onItsWay(record), status: "queued", sent_at: null, events: [] } : record,
  ),
];
