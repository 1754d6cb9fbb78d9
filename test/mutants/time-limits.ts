import { limits } from "../../generated/limits.ts";
import { idOf, isMessageLookup, isReschedule, isScheduled, stateful, timeOf } from "./email.ts";
import type { Mutant, MutantRequest, MutantResponse } from "./mutant.ts";
import { errorResponse, isSuccess, objectOf } from "./newsletter.ts";
import { isRequestTo, withKey } from "./requests.ts";
import { keyedRequests, scopedKey, withoutKey } from "./same-key.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();
const ahead = limits.scheduleAhead * day;
const window = limits.idempotencyWindow * hour;

const scheduledAt = (request: MutantRequest): number => timeOf(objectOf(request.body).scheduled_at);
const withTime = (request: MutantRequest, time: number): MutantRequest => ({
  ...request,
  body: { ...objectOf(request.body), scheduled_at: iso(time) },
});

/** The scheduled time as if it were in UTC. */
const withoutOffset = (request: MutantRequest): number =>
  timeOf(String(objectOf(request.body).scheduled_at).replace(/[+-]\d\d:\d\d$/, "Z"));

const ofOffsets: Mutant[] = [
  stateful(
    "SCHED-2",
    "a time is rejected that is within the limit only with its offset",
    ({ now }) =>
      (request, next) =>
        isScheduled(request) && withoutOffset(request) - now() > ahead
          ? errorResponse(422, "invalid_request", "scheduled_at")
          : next(request),
  ),
  stateful(
    "SCHED-2",
    "a time is accepted that is within the limit only without its offset",
    ({ now }) =>
      (request, next) => {
        const applies =
          isScheduled(request) &&
          scheduledAt(request) - now() > ahead &&
          withoutOffset(request) - now() <= ahead;
        return next(applies ? withTime(request, now() + ahead - hour) : request);
      },
  ),
];

const ofRescheduling: Mutant[] = [
  stateful("SCHED-2", "the limit of a reschedule counts from the send request", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      const begun = since.get(idOf(request));
      if (isReschedule(request) && begun !== undefined && scheduledAt(request) > begun + ahead + 60_000)
        return errorResponse(422, "invalid_request", "scheduled_at");
      const response = await next(request);
      if (isScheduled(request) && isSuccess(response)) since.set(objectOf(response.body).id, now());
      return response;
    };
  }),
];

const sentAt = ({ body }: MutantResponse): number => timeOf(objectOf(body).sent_at);

const ofLookup: Mutant[] = [
  ...["bounced"].map((status) =>
    stateful("LOOK-22", `a ${status} message is found for only a day`, ({ now }) => async (request, next) => {
      const response = await next(request);
      const isOver = isMessageLookup(request) && now() - sentAt(response) > day;
      return isOver && objectOf(response.body).status === status ? errorResponse(404, "not_found") : response;
    }),
  ),
];

const forgotten: Mutant[] = [...keyedRequests, ["a scheduled send", isScheduled] as const].map(
  ([what, applies]) =>
    stateful("IDEM-9", `the key of ${what} is forgotten two hours too early`, ({ now }) => {
      const since = new Map<string, number>();
      return (request, next) => {
        const key = scopedKey(request);
        if (!applies(request) || key === undefined) return next(request);
        const first = since.get(key) ?? now();
        since.set(key, first);
        return next(now() - first > window - 2 * hour ? withoutKey(request) : request);
      };
    }),
);

const ofOverlap: Mutant[] = [
  ...(["sendEmail", "getEmail", "upsertContact", "listNewsletterLists"] as const).map((operation) =>
    stateful("AUTH-7", `a replaced key never stops for ${operation}`, ({ bearer }) => (request, next) => {
      const applies = request.headers.authorization === bearer("replaced") && isRequestTo(request, operation);
      return next(applies ? withKey(request, bearer("full")) : request);
    }),
  ),
];

export const timeLimitsMutants: Mutant[] = [
  ...ofOffsets,
  ...ofRescheduling,
  ...ofLookup,
  ...forgotten,
  ...ofOverlap,
];
