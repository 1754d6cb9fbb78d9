// What a request that is rejected, limited or replayed still counts, stores or sends.

import {
  accepted,
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isScheduled,
  isSend,
  recipientsOf,
  stateful,
} from "./email.ts";
import { after, isAnySend, isRateLimited, keyed, keyOf, timeOf, withHeader } from "./fault-support.ts";
import { authorizationOf, lookupAt } from "./history.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
  shows,
} from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, objectOf, textOf } from "./newsletter.ts";
import { isError, sentMessages } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

/** The remaining allowance is less than it should be, after requests that do not count. */
const overcounts = (
  requirement: RequirementId,
  title: string,
  counts: (request: MutantRequest, response: MutantResponse) => boolean,
): Mutant =>
  remembers(requirement, title, () => {
    const totals = new Map<string, number>();
    return (response, request) => {
      if (!isAnySend(request)) return response;
      const before = totals.get(authorizationOf(request)) ?? 0;
      const total = before + (counts(request, response) ? recipientsOf(request) : 0);
      totals.set(authorizationOf(request), total);
      const remaining = response.headers["x-service-monthly-remaining"];
      return remaining === undefined || !isSuccess(response)
        ? response
        : withHeader(response, "x-service-monthly-remaining", String(Math.max(0, Number(remaining) - total)));
    };
  });

export const rejectedCountMutants: Mutant[] = [
  // Source: from experience (the counter is incremented before the check)
  overcounts(
    "LIMIT-5",
    "a send whose recipients are all suppressed counts toward the allowance",
    (request, response) => isSend(request) && isError(response, 422, "send_rejected"),
  ),
  // Source: api7/aisix#117 (the compensation of a counter)
  overcounts(
    "LIMIT-5",
    "a send that is too large counts toward the allowance",
    (request, response) => isSend(request) && response.status === 413,
  ),
  // Source: from experience (the counter is incremented before the check)
  overcounts(
    "LIMIT-5",
    "a batch that is rejected counts toward the allowance",
    (request, response) => isBatch(request) && response.status === 422,
  ),
  // Source: useplunk/plunk#484, from experience (a replay passes the counter)
  overcounts(
    "IDEM-8",
    "a replay counts toward the allowance",
    (request, response) => isImmediate(request) && isReplay(response),
  ),
  // Source: from experience (the conflict is counted)
  overcounts(
    "IDEM-2",
    "a request with the idempotency key of another one counts toward the allowance",
    (_request, response) => isError(response, 409, "idempotency_conflict"),
  ),
  // Source: from experience (the conflict overwrites the stored request)
  stateful("IDEM-1", "after a conflict the first request is no longer replayed", () => {
    const overwritten = new Set<string>();
    return async (request, next) => {
      if (keyOf(request) === undefined) return next(request);
      if (overwritten.has(keyed(request))) return errorResponse(409, "idempotency_conflict");
      const response = await next(request);
      if (isError(response, 409, "idempotency_conflict")) overwritten.add(keyed(request));
      return response;
    };
  }),
  // Source: from experience (the conflict is found when the contact is stored already)
  after(
    "IDEM-2",
    "a contact with the idempotency key of another one is stored although the response is 409",
    (request, response) => isUpsert(request) && isError(response, 409, "idempotency_conflict"),
    (request, _response, next) => next(withoutKey(request)),
  ),
  // Source: from experience (the conflict is found when the contact is updated already)
  after(
    "IDEM-2",
    "a conflict adds its tags to the contact of the first request although the response is 409",
    (request, response) => isUpsert(request) && isError(response, 409, "idempotency_conflict"),
    async (request, _response, next) => {
      const { email, list_id, tags } = objectOf(request.body);
      const path = `/api/v1/newsletter/contacts/${encodeURIComponent(String(email))}`;
      const isKnown = isSuccess(await next(lookupAt(request, path)));
      return isKnown ? next({ ...withoutKey(request), body: { email, list_id, tags } }) : undefined;
    },
  ),
  // Source: from experience (the upsert runs, only the response is cached)
  after(
    "IDEM-8",
    "a replay of an upsert writes the names and fields again",
    (request, response) => isUpsert(request) && isReplay(response),
    (request, _response, next) => next(withoutKey(request)),
  ),
  // Source: mohamedboukari/bunmail#188
  stateful("IDEM-8", "a replay of a scheduled send whose message was canceled schedules it again", () => {
    const canceled = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isCancel(request) && isSuccess(response)) canceled.add(idOf(request));
      if (isScheduled(request) && isReplay(response) && canceled.has(textOf(objectOf(response.body).id)))
        await next(withoutKey(request));
      return response;
    };
  }),
  // Source: from experience (rate-limited requests wait in a queue)
  stateful("LIMIT-1", "a send that is rejected for the rate limit is sent later", () => {
    const waiting = new Map<string, MutantRequest[]>();
    return async (request, next) => {
      const response = await next(request);
      const queue = waiting.get(authorizationOf(request)) ?? [];
      if (isRateLimited(response)) {
        if (isSend(request)) waiting.set(authorizationOf(request), [...queue, withoutKey(request)].slice(-3));
        return response;
      }
      if (
        queue.length === 0 ||
        !isSuccess(response) ||
        Number(response.headers["x-ratelimit-remaining"]) < 10
      )
        return response;
      waiting.delete(authorizationOf(request));
      for (const one of queue) await next(one);
      return response;
    };
  }),
  // Source: from experience (rate-limited requests wait in a queue)
  stateful("LIMIT-1", "an upsert that is rejected for the rate limit is performed later", () => {
    const waiting = new Map<string, MutantRequest>();
    return async (request, next) => {
      const response = await next(request);
      if (isRateLimited(response)) {
        if (isUpsert(request)) waiting.set(authorizationOf(request), withoutKey(request));
        return response;
      }
      const one = waiting.get(authorizationOf(request));
      if (one === undefined || !isSuccess(response) || Number(response.headers["x-ratelimit-remaining"]) < 10)
        return response;
      waiting.delete(authorizationOf(request));
      await next(one);
      return response;
    };
  }),
  // Source: from experience (scheduled mail is not checked against the ceiling)
  shows("LIMIT-7", "a scheduled send is accepted at the sending ceiling", (response, request) => {
    if (!isScheduled(request) || !isError(response, 429, "send_rejected")) return response;
    const time = new Date(timeOf(objectOf(request.body).scheduled_at) || 0).toISOString();
    return accepted(response, 202, { id: "sched_at_the_ceiling", scheduled_at: time, suppressed: [] });
  }),
  // Source: from experience (the ceiling is checked in the handler of single sends)
  shows("LIMIT-7", "a batch is accepted at the sending ceiling", (response, request) => {
    if (!isBatch(request) || !isError(response, 429, "send_rejected")) return response;
    const data = sentMessages(request).map((_, index) => ({
      id: `sched_at_the_ceiling_${index}`,
      suppressed: [],
    }));
    return accepted(response, 202, { data });
  }),
];
