import { accepted, idOf, isMessageLookup, isReschedule, stateful, timeOf } from "./email.ts";
import { changeRequests, changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, objectOf } from "./newsletter.ts";
import { withKey } from "./requests.ts";
import { unperformedChange } from "./unperformed.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

export const reschedulingMutants: Mutant[] = [
  changeRequests("SCHED-8", "accepts a reschedule without a time", (request) =>
    isReschedule(request) && !("scheduled_at" in objectOf(request.body))
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  changeRequests("SCHED-8", "accepts a number as the new time", (request) =>
    isReschedule(request) && typeof objectOf(request.body).scheduled_at === "number"
      ? { ...request, body: { scheduled_at: iso(Date.now() + day) } }
      : undefined,
  ),
  respondInstead("SCHED-8", "rejects a new time with an offset", (request) =>
    isReschedule(request) && /[+-]\d\d:\d\d$/.test(String(objectOf(request.body).scheduled_at))
      ? errorResponse(422, "invalid_request", "scheduled_at")
      : undefined,
  ),
  unperformedChange("SCHED-9", "a rescheduled message has the status queued", {
    applies: isReschedule,
    shows: (record) => (record.status === "scheduled" ? { ...record, status: "queued" } : record),
  }),
  unperformedChange("SCHED-9", "a message cannot be rescheduled to an earlier time", {
    applies: isReschedule,
    shows: (record, { scheduled_at }) => ({
      ...record,
      scheduled_at:
        timeOf(scheduled_at) - Date.now() < 2.5 * hour && record.status === "scheduled"
          ? iso(timeOf(scheduled_at) + 3 * hour)
          : record.scheduled_at,
    }),
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
    return objectOf(body).status === "bounced" ? accepted(response, 200, {}) : response;
  }),
  changeResponses("SCHED-12", "returns 409 for a reschedule of a nonexistent id", (response, request) =>
    isReschedule(request) && response.status === 404 ? errorResponse(409, "not_reschedulable") : undefined,
  ),
  stateful("SCHED-12", "another account can reschedule a message", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    return isReschedule(request) && response.status === 404
      ? next(withKey(request, bearer("full")))
      : response;
  }),
];
