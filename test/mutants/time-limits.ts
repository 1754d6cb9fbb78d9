import { limits } from "../../generated/limits.ts";
import {
  accepted,
  idOf,
  isBatch,
  isMessageLookup,
  isReschedule,
  isScheduled,
  stateful,
  timeOf,
} from "./email.ts";
import type { Mutant, MutantRequest, MutantResponse } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { isRequestTo, withKey } from "./requests.ts";
import { asReplay, isReplay, keyedRequests, scopedKey, withoutKey } from "./same-key.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();
const ahead = limits.scheduleAhead * day;
const lookup = limits.messageLookup * day;
const window = limits.idempotencyWindow * hour;

const scheduledAt = (request: MutantRequest): number => timeOf(objectOf(request.body).scheduled_at);
const withTime = (request: MutantRequest, time: number): MutantRequest => ({
  ...request,
  body: { ...objectOf(request.body), scheduled_at: iso(time) },
});

/** Two hours off: the suite tests an hour from each limit. */
const ofScheduling: Mutant[] = (
  [
    ["a send", isScheduled],
    ["a reschedule", isReschedule],
  ] as const
).flatMap(([what, applies]) => [
  stateful("SCHED-2", `${what} can be two hours beyond the limit`, ({ now }) => (request, next) => {
    const over = applies(request) ? scheduledAt(request) - now() : 0;
    return next(over > ahead && over < ahead + 2 * hour ? withTime(request, now() + ahead - hour) : request);
  }),
  stateful(
    "SCHED-2",
    `${what} can only be up to two hours less than the limit`,
    ({ now }) =>
      (request, next) =>
        applies(request) && scheduledAt(request) - now() > ahead - 2 * hour
          ? errorResponse(422, "invalid_request", "scheduled_at")
          : next(request),
  ),
]);

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
  stateful("SCHED-2", "the limit of a reschedule counts from the earlier scheduled time", ({ now }) => {
    return async (request, next) => {
      if (!isReschedule(request)) return next(request);
      const { body } = await next({ ...request, method: "GET", body: undefined });
      const end = timeOf(objectOf(body).scheduled_at) + ahead;
      const time = scheduledAt(request);
      return next(time - now() > ahead && time < end ? withTime(request, now() + ahead - hour) : request);
    };
  }),
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
  stateful("LOOK-22", "a message is found two hours too long", ({ now }) => {
    const records = new Map<string, { body: Json; until: number }>();
    return async (request, next) => {
      const response = await next(request);
      if (!isMessageLookup(request)) return response;
      const name = `${idOf(request)} ${request.headers.authorization}`;
      const known = records.get(name);
      if (isSuccess(response))
        records.set(name, { body: objectOf(response.body), until: sentAt(response) + lookup + 2 * hour });
      return response.status === 404 && known !== undefined && now() < known.until
        ? accepted(response, 200, known.body)
        : response;
    };
  }),
  stateful("LOOK-22", "a message is found two hours too short", ({ now }) => async (request, next) => {
    const response = await next(request);
    return isMessageLookup(request) && isSuccess(response) && now() - sentAt(response) > lookup - 2 * hour
      ? errorResponse(404, "not_found")
      : response;
  }),
  ...["bounced", "complained"].map((status) =>
    stateful("LOOK-22", `a ${status} message is found for only a day`, ({ now }) => async (request, next) => {
      const response = await next(request);
      const isOver = isMessageLookup(request) && now() - sentAt(response) > day;
      return isOver && objectOf(response.body).status === status ? errorResponse(404, "not_found") : response;
    }),
  ),
  stateful("LOOK-22", "a message of a batch is found for only a day", ({ now }) => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && isSuccess(response))
        for (const { id } of listOf(objectOf(response.body).data).map(objectOf)) ids.add(id);
      const isOver = isMessageLookup(request) && ids.has(idOf(request)) && now() - sentAt(response) > day;
      return isOver ? errorResponse(404, "not_found") : response;
    };
  }),
];

const ofKeys: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
  ...(
    [
      ["two hours too long", window + 2 * hour, false],
      ["for a day after each replay", window, true],
    ] as const
  ).map(([title, length, renews]) =>
    stateful("IDEM-9", `the key of ${what} is remembered ${title}`, ({ now }) => {
      const first = new Map<string, { at: number; response: MutantResponse }>();
      return async (request, next) => {
        const key = scopedKey(request);
        const known = key === undefined ? undefined : first.get(key);
        const response = await next(request);
        if (!applies(request) || key === undefined || !isSuccess(response)) return response;
        const isLate = known !== undefined && !isReplay(response);
        if (isLate && now() - known.at < length) return asReplay(known.response);
        const isRenewed = renews && known !== undefined;
        if (known === undefined || isRenewed)
          first.set(key, { at: now(), response: known?.response ?? response });
        return response;
      };
    }),
  ),
  stateful("IDEM-9", `after the window, the key of ${what} is a conflict`, ({ now }) => {
    const since = new Map<string, number>();
    return (request, next) => {
      const key = scopedKey(request);
      if (!applies(request) || key === undefined) return next(request);
      const first = since.get(key) ?? now();
      since.set(key, first);
      return now() - first > window ? errorResponse(409, "idempotency_conflict") : next(request);
    };
  }),
]);

const withoutConflict: Mutant[] = keyedRequests.map(([what, applies]) =>
  stateful("IDEM-9", `another body of ${what} is no conflict after an hour`, ({ now }) => {
    const first = new Map<string, { body: string; at: number }>();
    return (request, next) => {
      const key = scopedKey(request);
      if (!applies(request) || key === undefined) return next(request);
      const body = JSON.stringify(request.body);
      const known = first.get(key) ?? { body, at: now() };
      first.set(key, known);
      return next(known.body !== body && now() - known.at > hour ? withoutKey(request) : request);
    };
  }),
);

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
  stateful("AUTH-7", "a replaced key works two hours longer than a week", ({ bearer, now }) => {
    const begun = now();
    return (request, next) => {
      const applies =
        request.headers.authorization === bearer("replaced") &&
        now() - begun < limits.keyOverlap * day + 2 * hour;
      return next(applies ? withKey(request, bearer("full")) : request);
    };
  }),
  ...(["sendEmail", "getEmail", "upsertContact", "listNewsletterLists"] as const).map((operation) =>
    stateful("AUTH-7", `a replaced key never stops for ${operation}`, ({ bearer }) => (request, next) => {
      const applies = request.headers.authorization === bearer("replaced") && isRequestTo(request, operation);
      return next(applies ? withKey(request, bearer("full")) : request);
    }),
  ),
];

export const timeLimitsMutants: Mutant[] = [
  ...ofScheduling,
  ...ofOffsets,
  ...ofRescheduling,
  ...ofLookup,
  ...ofKeys,
  ...forgotten,
  ...withoutConflict,
  ...ofOverlap,
];
