import {
  asAnother,
  from,
  idOf,
  inRecords,
  inSendAnswers,
  isCancel,
  isLook,
  isReschedule,
  isScheduled,
  remembering,
  taken,
  takesSend,
  timeOf,
  to,
  unsent,
} from "./email.ts";
import { type Fault, inAnswers, inRequests, instead, type RequirementId } from "./fault.ts";
import { isGood, type Json, objectOf, refusal, without } from "./newsletter.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

/** A change of messages that is not made and yet answered; records of those messages are shown otherwise. */
const pretending = (
  breaks: RequirementId,
  title: string,
  {
    isMeant,
    answers,
    shows = (record) => record,
  }: {
    isMeant: (request: Parameters<typeof isLook>[0]) => boolean;
    /** What is answered; undefined to let the call through. */
    answers?: (id: string) => Json;
    /** What is shown of a message for which the call was made with success. */
    shows?: (record: Json, asked: Json, now: number) => Json;
  },
): Fault =>
  remembering(breaks, title, ({ now }) => {
    const asked = new Map<string, Json>();
    return async (request, next) => {
      const isAsked = isMeant(request);
      const path =
        isAsked && answers !== undefined ? { ...request, method: "GET", body: undefined } : request;
      const answer = await next(path);
      if (isAsked && isGood(answer)) {
        asked.set(idOf(request), objectOf(request.body));
        return answers === undefined ? answer : { ...answer, body: answers(idOf(request)) };
      }
      const known = asked.get(idOf(request));
      return isLook(request) && isGood(answer) && known !== undefined
        ? { ...answer, body: shows(objectOf(answer.body), known, now()) }
        : answer;
    };
  });

const ofTimes: Fault[] = [
  inRecords("SCHED-1", "a scheduled message is sent at once", (record) =>
    record.status === "scheduled" ? { ...record, sent_at: iso(timeOf(record.scheduled_at) - hour) } : record,
  ),
  remembering("SCHED-2", "a send may be further ahead than the limit", ({ now }) => (request, next) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isScheduled(request) && timeOf(scheduled_at) - now() > 30 * day;
    return next(
      isFar
        ? { ...request, body: { ...objectOf(request.body), scheduled_at: iso(now() + 29 * day) } }
        : request,
    );
  }),
  remembering("SCHED-2", "a new time may be further ahead than the limit", ({ now }) => (request, next) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isReschedule(request) && timeOf(scheduled_at) - now() > 30 * day;
    return next(isFar ? { ...request, body: { scheduled_at: iso(now() + 29 * day) } } : request);
  }),
  ...(
    [
      ["a send", isScheduled],
      ["a new time", isReschedule],
    ] as const
  ).map(([what, isMeant]) =>
    remembering(
      "SCHED-2",
      `${what} may be a week ahead only`,
      ({ now }) =>
        (request, next) =>
          isMeant(request) && timeOf(objectOf(request.body).scheduled_at) - now() > 7 * day
            ? refusal(422, "invalid_request", "scheduled_at")
            : next(request),
    ),
  ),
  remembering("SCHED-3", "the id of a scheduled message has no prefix", () => async (request, next) => {
    const isBare = request.path.startsWith("/api/v1/emails/late_");
    const path = isBare ? request.path.replace("/late_", "/sched_") : request.path;
    const answer = await next({ ...request, path });
    const { id } = objectOf(answer.body);
    const isMeant = isGood(answer) && (isScheduled(request) || (isBare && typeof id === "string"));
    return isMeant
      ? { ...answer, body: { ...objectOf(answer.body), id: String(id).replace("sched_", "late_") } }
      : answer;
  }),
  inSendAnswers(
    "SCHED-4",
    "the answer has no scheduled_at",
    (body) => without(body, "scheduled_at"),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-4",
    "the answer repeats the time as it was sent",
    (body, { body: sent }) => ({ ...body, scheduled_at: objectOf(sent).scheduled_at }),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-4",
    "the answer takes the time for one in UTC, whatever its offset",
    (body, { body: sent }) => ({
      ...body,
      scheduled_at: String(objectOf(sent).scheduled_at).replace(/(Z|[+-]\d\d:\d\d)$/, "Z"),
    }),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-5",
    "the answer to a scheduled send has no suppressed",
    (body) => without(body, "suppressed"),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-5",
    "suppressed in the answer to a scheduled send is always empty",
    (body) => ({ ...body, suppressed: [] }),
    isScheduled,
  ),
  inAnswers("SCHED-6", "a scheduled message is taken whatever is wrong with it", (answer, request) =>
    isScheduled(request) && (answer.status === 422 || answer.status === 403)
      ? taken(answer, 202, { id: "sched_unchecked", scheduled_at: "2030-01-01T00:00:00Z", suppressed: [] })
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message without a subject", (body) =>
    "scheduled_at" in body && !("subject" in body) && !("template_id" in body)
      ? { ...body, subject: "Put right" }
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message from a domain that the account does not have", (body) =>
    "scheduled_at" in body && String(body.from).includes("@contract-") ? { ...body, from } : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message to suppressed recipients only", (body) =>
    "scheduled_at" in body && String(body.to) === "gone@readers.example" ? { ...body, to } : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message with too long a tag", (body) =>
    "scheduled_at" in body && Object.values(objectOf(body.tags)).some((value) => String(value).length > 128)
      ? without(body, "tags")
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message with a link into a private network", (body) =>
    "scheduled_at" in body && JSON.stringify(body).includes("https://10.")
      ? without(body, "attachments")
      : undefined,
  ),
  inRecords("SCHED-7", "a scheduled message is queued", (record) =>
    record.status === "scheduled" ? { ...record, status: "queued" } : record,
  ),
];

const ofRescheduling: Fault[] = [
  inRequests("SCHED-8", "takes a change of time without a time", (request) =>
    isReschedule(request) && !("scheduled_at" in objectOf(request.body))
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  inRequests("SCHED-8", "takes a number as a new time", (request) =>
    isReschedule(request) && typeof objectOf(request.body).scheduled_at === "number"
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  inRequests("GEN-6", "takes a new time without an offset", (request) =>
    isReschedule(request) && /T\d\d:\d\d:\d\d$/.test(String(objectOf(request.body).scheduled_at))
      ? { ...request, body: { scheduled_at: `${objectOf(request.body).scheduled_at}Z` } }
      : undefined,
  ),
  instead("SCHED-8", "refuses a new time with an offset", (request) =>
    isReschedule(request) && /[+-]\d\d:\d\d$/.test(String(objectOf(request.body).scheduled_at))
      ? refusal(422, "invalid_request", "scheduled_at")
      : undefined,
  ),
  inAnswers("SCHED-8", "names no field when a new time is malformed", (answer, request) =>
    isReschedule(request) && answer.status === 422 ? refusal(422, "invalid_request") : undefined,
  ),
  pretending("SCHED-9", "a change of time is answered and not made", {
    isMeant: isReschedule,
    answers: () => ({}),
  }),
  pretending("SCHED-9", "the answer to a change of time has a new id", {
    isMeant: isReschedule,
    answers: (id) => ({ id: `${id}2` }),
    shows: (record, { scheduled_at }) => ({ ...record, scheduled_at: iso(timeOf(scheduled_at)) }),
  }),
  remembering("SCHED-9", "a changed message is found under a new id only", () => {
    const changed = new Set<string>();
    return async (request, next) => {
      if (isLook(request) && changed.has(idOf(request))) return refusal(404, "not_found");
      const answer = await next(request);
      if (isReschedule(request) && isGood(answer)) changed.add(idOf(request));
      return answer;
    };
  }),
  pretending("SCHED-9", "a changed message is queued", {
    isMeant: isReschedule,
    shows: (record) => (record.status === "scheduled" ? { ...record, status: "queued" } : record),
  }),
  pretending("SCHED-9", "a changed message takes no earlier time", {
    isMeant: isReschedule,
    shows: (record, { scheduled_at }) => ({
      ...record,
      scheduled_at:
        timeOf(scheduled_at) - Date.now() < 2.5 * hour && record.status === "scheduled"
          ? iso(timeOf(scheduled_at) + 3 * hour)
          : record.scheduled_at,
    }),
  }),
  remembering("SCHED-9", "a changed message goes out at its old time", ({ now }) => {
    const old = new Map<string, number>();
    return async (request, next) => {
      if (isReschedule(request)) {
        const { body } = await next({ ...request, method: "GET", body: undefined });
        old.set(idOf(request), timeOf(objectOf(body).scheduled_at));
      }
      const answer = await next(request);
      const time = old.get(idOf(request)) ?? Number.POSITIVE_INFINITY;
      const record = objectOf(answer.body);
      return isLook(request) && record.status === "scheduled" && time < now()
        ? { ...answer, body: { ...record, status: "sent", sent_at: iso(time) } }
        : answer;
    };
  }),
  pretending("SCHED-10", "a message goes out once for each of its times", {
    isMeant: isReschedule,
    shows: (record) => ({
      ...record,
      events: (record.events as Json[]).flatMap((event) =>
        event.type === "sent" ? [event, event] : [event],
      ),
    }),
  }),
  ...(
    [
      ["answers 200 to a change of time that comes too late", (): [number, Json] => [200, {}]],
      ["answers 422 to a change of time that comes too late", () => 422],
      ["answers 409 not_cancellable to a change of time that comes too late", () => 409],
    ] as const
  ).map(([title, status]) =>
    inAnswers("SCHED-11", title, (answer, request) => {
      if (!isReschedule(request) || answer.status !== 409) return undefined;
      const wanted = status();
      if (typeof wanted !== "number") return taken(answer, ...wanted);
      return wanted === 409
        ? refusal(409, "not_cancellable")
        : refusal(422, "invalid_request", "scheduled_at");
    }),
  ),
  remembering("SCHED-11", "a message that bounced can be given a new time", () => async (request, next) => {
    const answer = await next(request);
    if (!isReschedule(request) || answer.status !== 409) return answer;
    const { body } = await next({ ...request, method: "GET", body: undefined });
    return objectOf(body).status === "bounced" ? taken(answer, 200, {}) : answer;
  }),
  remembering("SCHED-11", "a message just sent can be given a new time", () => async (request, next) => {
    const answer = await next(request);
    if (!isReschedule(request) || answer.status !== 409) return answer;
    const { body } = await next({ ...request, method: "GET", body: undefined });
    return objectOf(body).status === "sent" ? taken(answer, 200, {}) : answer;
  }),
  inAnswers("SCHED-12", "answers 409 to a change of time for an id that nobody has", (answer, request) =>
    isReschedule(request) && answer.status === 404 ? refusal(409, "not_reschedulable") : undefined,
  ),
  remembering("SCHED-12", "another account may change the time", ({ bearer }) => async (request, next) => {
    const answer = await next(request);
    return isReschedule(request) && answer.status === 404 ? asAnother(request, next, bearer("full")) : answer;
  }),
];

const ofCanceling: Fault[] = [
  pretending("SCHED-13", "a cancellation is answered and not made", {
    isMeant: isCancel,
    answers: () => ({ status: "canceled" }),
  }),
  pretending("SCHED-13", "a canceled message is found no more", {
    isMeant: isCancel,
    shows: (record) => ({ ...record, status: "failed" }),
  }),
  instead("SCHED-13", "refuses to cancel a scheduled message", (request) =>
    isCancel(request) ? refusal(409, "not_cancellable") : undefined,
  ),
  pretending("SCHED-14", "a canceled message goes out when its time comes", {
    isMeant: isCancel,
    shows: (record, _, now) =>
      record.status === "canceled" && timeOf(record.scheduled_at) < now
        ? { ...record, status: "sent", sent_at: record.scheduled_at }
        : record,
  }),
  pretending("SCHED-14", "a canceled message says that it was sent", {
    isMeant: isCancel,
    shows: (record, _, now) =>
      record.status === "canceled" && timeOf(record.scheduled_at) < now
        ? { ...record, sent_at: record.scheduled_at }
        : record,
  }),
  remembering("SCHED-14", "a new time puts a canceled message back", () => {
    const back = new Set<string>();
    return async (request, next) => {
      if (isReschedule(request)) back.add(idOf(request));
      const answer = await next(request);
      const record = objectOf(answer.body);
      return isLook(request) && record.status === "canceled" && back.has(idOf(request))
        ? { ...answer, body: { ...record, status: "scheduled" } }
        : answer;
    };
  }),
  ...(
    [
      ["is called cancelled", { status: "cancelled" }],
      ["is missing", {}],
      ["is true", { status: true }],
    ] as const
  ).map(([title, body]) =>
    inAnswers("SCHED-15", `the status in the answer to a cancellation ${title}`, (answer, request) =>
      isCancel(request) && isGood(answer) ? { ...answer, body } : undefined,
    ),
  ),
  instead("SCHED-16", "refuses a cancellation without a body", (request) =>
    isCancel(request) && request.body === undefined ? refusal(422, "invalid_request", "body") : undefined,
  ),
  ...(
    [
      ["answers 200 to a cancellation that comes too late", 200],
      ["answers 409 not_reschedulable to a cancellation that comes too late", 409],
      ["answers 404 to a cancellation that comes too late", 404],
    ] as const
  ).map(([title, status]) =>
    inAnswers("SCHED-17", title, (answer, request) => {
      if (!isCancel(request) || answer.status !== 409) return undefined;
      if (status === 200) return taken(answer, 200, { status: "canceled" });
      return refusal(status, status === 409 ? "not_reschedulable" : "not_found");
    }),
  ),
  inAnswers("SCHED-18", "answers success to a cancellation of an id that nobody has", (answer, request) =>
    isCancel(request) && answer.status === 404 ? taken(answer, 200, { status: "canceled" }) : undefined,
  ),
  remembering("SCHED-18", "another account may cancel a message", ({ bearer }) => async (request, next) => {
    const answer = await next(request);
    return isCancel(request) && answer.status === 404 ? asAnother(request, next, bearer("full")) : answer;
  }),
];

/** A fault in which a refused call changes what is shown of its message afterwards. */
const changing = (
  title: string,
  isMeant: typeof isLook,
  change: (record: Json, asked: Json) => Json,
): Fault =>
  remembering("SCHED-19", title, ({ bearer }) => {
    const refusedFor = new Map<string, Json>();
    return async (request, next) => {
      const answer = await next(request);
      if (isMeant(request) && answer.status >= 400) refusedFor.set(idOf(request), objectOf(request.body));
      const asked = refusedFor.get(idOf(request));
      const isOwn = request.headers.authorization === bearer("full");
      return isLook(request) && isGood(answer) && asked !== undefined && isOwn
        ? { ...answer, body: change(objectOf(answer.body), asked) }
        : answer;
    };
  });

const isSent = ({ status }: Json): boolean => status === "delivered";

const isTooFar: typeof isLook = (request) =>
  isReschedule(request) && timeOf(objectOf(request.body).scheduled_at) - Date.now() > 30 * day;

const ofLeaving: Fault[] = [
  changing("a refused cancellation cancels", isCancel, (record) =>
    isSent(record) ? { ...record, status: "canceled" } : record,
  ),
  changing("a refused change of time notes the new time", isReschedule, (record, { scheduled_at }) =>
    isSent(record) ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("a time that is refused is noted", isTooFar, (record, { scheduled_at }) =>
    record.status === "scheduled" ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("another account cancels, although it is told that there is nothing", isCancel, (record) =>
    record.status === "scheduled" ? { ...record, status: "canceled" } : record,
  ),
];

const ofGoingOut: Fault[] = [
  inRecords("SCHED-20", "a scheduled message never goes out", (record) =>
    record.scheduled_at === null ? record : { ...unsent(record), events: [] },
  ),
  remembering("SCHED-20", "a scheduled message goes out an hour late", ({ now }) => async (request, next) => {
    const answer = await next(request);
    const record = objectOf(answer.body);
    return isLook(request) &&
      isGood(answer) &&
      record.status !== "canceled" &&
      now() - timeOf(record.scheduled_at ?? 0) < hour
      ? { ...answer, body: unsent(record) }
      : answer;
  }),
  inRecords("SCHED-20", "a scheduled message goes out a minute early", (record) =>
    record.scheduled_at === null || record.sent_at === null
      ? record
      : { ...record, sent_at: iso(timeOf(record.scheduled_at) - 60_000) },
  ),
  remembering(
    "SCHED-20",
    "a scheduled message waits for the full hour",
    ({ now }) =>
      async (request, next) => {
        const answer = await next(request);
        const record = objectOf(answer.body);
        const isEarly =
          typeof record.scheduled_at === "string" &&
          Math.ceil(timeOf(record.scheduled_at) / hour) * hour > now();
        return isLook(request) && isGood(answer) && isEarly && record.sent_at !== null
          ? { ...answer, body: unsent(record) }
          : answer;
      },
  ),
  inAnswers("SCHED-21", "a scheduled message is found no more when it has gone out", (answer, request) =>
    isLook(request) &&
    objectOf(answer.body).sent_at !== null &&
    idOf(request).startsWith("sched_") &&
    isGood(answer)
      ? refusal(404, "not_found")
      : undefined,
  ),
];

export const schedulingFaults: Fault[] = [
  ...ofTimes,
  ...ofRescheduling,
  ...ofCanceling,
  ...ofLeaving,
  ...ofGoingOut,
];
