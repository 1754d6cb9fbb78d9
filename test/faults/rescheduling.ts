import { asAnother, idOf, isLook, isReschedule, remembering, taken, timeOf } from "./email.ts";
import { type Fault, inAnswers, inRequests, instead } from "./fault.ts";
import { isGood, type Json, objectOf, refusal } from "./newsletter.ts";
import { pretending } from "./pretending.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

export const reschedulingFaults: Fault[] = [
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
