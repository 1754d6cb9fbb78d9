// What holds for the second request, but not for the third or tenth.

import { isObject } from "../../lib/objects.ts";
import {
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  stateful,
} from "./email.ts";
import {
  another,
  isAnySend,
  isRateLimited,
  keyed,
  keyOf,
  recipientsIn,
  success,
  timeOf,
  withBody,
  withHeader,
} from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import { type Mutant, type MutantRequest, type MutantResponse, remembers, shows } from "./mutant.ts";
import { errorResponse, isSuccess, listOf, objectOf, textOf } from "./newsletter.ts";
import { sentMessages, withFields } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

/** Counts by name. */
export const counter = () => {
  const counts = new Map<string, number>();
  return (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
};

/** Lets a key be used for some requests only, then treats it as new. */
const replaysUpTo = (most: number, title: string, applies: (request: MutantRequest) => boolean): Mutant =>
  stateful("IDEM-8", title, () => {
    const count = counter();
    const bodies = new Map<string, string>();
    return (request, next) => {
      if (!applies(request) || keyOf(request) === undefined) return next(request);
      const body = JSON.stringify(request.body) ?? "";
      const first = bodies.get(keyed(request)) ?? body;
      bodies.set(keyed(request), first);
      return next(first === body && count(keyed(request)) > most ? withoutKey(request) : request);
    };
  });

export const repetitionMutants: Mutant[] = [
  // Source: from experience (a cached response is removed when it is read)
  replaysUpTo(2, "the third use of a key of a scheduled send is scheduled", isScheduled),
  // Source: from experience (a cached response is removed when it is read)
  replaysUpTo(2, "the third use of a key of a batch is sent", isBatch),
  // Source: from experience (a limited number of uses)
  replaysUpTo(9, "the tenth use of a key of an immediate send is sent", isImmediate),
  // Source: from experience (the conflict replaces the record)
  stateful("IDEM-2", "the second request with the key of another one is accepted", () => {
    const count = counter();
    return async (request, next) => {
      const response = await next(request);
      const isConflict =
        response.status === 409 && objectOf(objectOf(response.body).error).type === "idempotency_conflict";
      return isConflict && count(keyed(request)) === 2 ? next(withoutKey(request)) : response;
    };
  }),
  // Source: from experience (a key of a replayed request is compared without its path and body)
  remembers("IDEM-2", "after a replay a request with the same key and another body is replayed too", () => {
    const replayed = new Map<string, MutantResponse>();
    return (response, request) => {
      if (isReplay(response)) replayed.set(keyed(request), response);
      return response.status === 409 && keyOf(request) !== undefined
        ? (replayed.get(keyed(request)) ?? response)
        : response;
    };
  }),
  // Source: pentacent/keila#11 (rescheduling)
  ...(
    [
      ["the third rescheduling of a message has no effect", 3, 3],
      // Source: from experience (a limit on versions of a record)
      ["a message can be rescheduled five times, and further times have no effect", 6, Infinity],
    ] as const
  ).map(([title, from, to]) =>
    stateful("SCHED-9", title, () => {
      const count = counter();
      return async (request, next) => {
        const times = isReschedule(request) ? count(`${authorizationOf(request)} ${idOf(request)}`) : 0;
        if (times < from || times > to) return next(request);
        const record = await next(another(request, "GET", request.path));
        return objectOf(record.body).status === "scheduled"
          ? success(record, 200, {
              id: idOf(request),
              status: "scheduled",
              scheduled_at: objectOf(request.body).scheduled_at,
            })
          : next(request);
      };
    }),
  ),
  // Source: chandshy/mailpouch#327 (a cancellation that a restart undoes)
  stateful("SCHED-14", "a message that was rescheduled and then canceled is sent", ({ now }) => {
    const moved = new Set<string>();
    const canceled = new Map<string, number>();
    return async (request, next) => {
      const id = idOf(request);
      if (isCancel(request) && moved.has(id) && !canceled.has(id)) {
        const record = await next(another(request, "GET", request.path));
        if (objectOf(record.body).status !== "scheduled") return next(request);
        canceled.set(id, timeOf(objectOf(record.body).scheduled_at));
        return success(record, 200, { id, status: "canceled" });
      }
      const response = await next(request);
      if (isReschedule(request) && isSuccess(response)) moved.add(id);
      return isMessageLookup(request) && isSuccess(response) && now() < (canceled.get(id) ?? 0)
        ? withFields(response, { status: "canceled" })
        : response;
    };
  }),
  // Source: BasedHardware/omi#10164 (a smaller limit in each window after the first)
  stateful("LIMIT-1", "in the minute after the limit was reached 100 requests are allowed", ({ now }) => {
    const windows = new Map<string, { reached: number; times: number[] }>();
    return async (request, next) => {
      const window = windows.get(authorizationOf(request)) ?? { reached: 0, times: [] };
      windows.set(authorizationOf(request), window);
      window.times = window.times.filter((time) => time > now() - 60_000);
      if (
        window.reached > 0 &&
        now() - window.reached < 180_000 &&
        now() - window.reached > 1000 &&
        window.times.length >= 100
      )
        return withHeader(errorResponse(429, "rate_limited"), "retry-after", "60");
      const response = await next(request);
      if (isRateLimited(response)) window.reached = now();
      else if (isSuccess(response)) window.times.push(now());
      return response;
    };
  }),
  // Source: from experience (responses from a cache are not limited)
  remembers("LIMIT-1", "a lookup beyond the limit gets the response to the one before", () => {
    const cached = new Map<string, MutantResponse>();
    return (response, request) => {
      const name = `${authorizationOf(request)} ${request.path}`;
      if (request.method !== "GET") return response;
      if (isSuccess(response)) cached.set(name, response);
      return isRateLimited(response) ? (cached.get(name) ?? response) : response;
    };
  }),
  // Source: from experience (batches have a limiter of their own)
  shows("LIMIT-3", "a batch is never limited, but not sent either", (response, request) => {
    if (!isBatch(request) || !isRateLimited(response)) return response;
    const data = sentMessages(request).map((_, index) => ({
      id: `sched_unlimited_${index}`,
      suppressed: [],
    }));
    const made = success(response, 202, { data });
    return withHeader(
      withHeader(made, "x-service-monthly-quota", "50000"),
      "x-service-monthly-remaining",
      "40000",
    );
  }),
  // Source: from experience (a counter for each key)
  remembers(
    "HEAD-7",
    "the second key of an account shows a number of remaining requests of its own",
    ({ bearer, now }) => {
      let times: number[] = [];
      return (response, request) => {
        if (
          authorizationOf(request) !== bearer("second") ||
          response.headers["x-ratelimit-remaining"] === undefined
        )
          return response;
        times = [...times.filter((time) => time > now() - 60_000), now()];
        return withHeader(response, "x-ratelimit-remaining", String(Math.max(0, 120 - times.length)));
      };
    },
  ),
  // Source: from experience (ids from a short sequence)
  remembers("HEAD-2", "each tenth request of a key has the request id of the first", () => {
    const count = counter();
    const ids = new Map<string, string>();
    return (response, request) => {
      const id = response.headers["x-service-request-id"];
      if (id === undefined || !isSuccess(response)) return response;
      const nth = count(authorizationOf(request));
      if (nth === 1) ids.set(authorizationOf(request), id);
      return nth % 10 === 0
        ? withHeader(response, "x-service-request-id", ids.get(authorizationOf(request)) ?? id)
        : response;
    };
  }),
  // Source: usesend/useSend#337, namuh-eng/opensend#191 (suppression after bounces)
  stateful("SIM-2", "after three messages to `bounce` the address is suppressed", () => {
    const count = counter();
    const suppressed = new Set<string>();
    return async (request, next) => {
      const isBounce = (address: unknown): boolean => /^bounce@simulator\./.test(textOf(address));
      const { to } = objectOf(request.body);
      const isOnly = isImmediate(request) && listOf(to).length === 1 && isBounce(listOf(to)[0]);
      if (isOnly && suppressed.has(authorizationOf(request))) return errorResponse(422, "send_rejected");
      const response = await next(request);
      if (isOnly && isSuccess(response) && count(authorizationOf(request)) === 3)
        suppressed.add(authorizationOf(request));
      return response;
    };
  }),
  // Source: from experience (complaints are reported once a day)
  remembers("SIM-3", "of the messages to `complaint` only the first one is complained", () => {
    const first = new Map<string, string>();
    return (response, request) => {
      const id = textOf(objectOf(response.body).id);
      const isComplaint = sentMessages(request)
        .flatMap(recipientsIn)
        .some((one) => /^complaint@/.test(textOf(one)));
      if (isSend(request) && isSuccess(response) && isComplaint && !first.has(authorizationOf(request)))
        first.set(authorizationOf(request), id);
      const record = objectOf(response.body);
      return isMessageLookup(request) &&
        record.status === "complained" &&
        idOf(request) !== first.get(authorizationOf(request))
        ? { ...response, body: { ...record, status: "delivered", complained_at: null } }
        : response;
    };
  }),
  // Source: from experience (protection against double clicks)
  stateful("SEND-1", "an identical send within ten seconds is not sent, even without a key", ({ now }) => {
    const latest = new Map<string, { at: number; response: MutantResponse }>();
    return async (request, next) => {
      if (!isImmediate(request) || keyOf(request) !== undefined) return next(request);
      const name = `${authorizationOf(request)} ${JSON.stringify(request.body) ?? ""}`;
      const before = latest.get(name);
      if (before !== undefined && now() - before.at < 10_000) return before.response;
      const response = await next(request);
      if (isSuccess(response)) latest.set(name, { at: now(), response });
      return response;
    };
  }),
  // Source: from experience (a scheduled message is looked up in a cache)
  stateful("SCHED-9", "the second lookup after a rescheduling shows the old time again", () => {
    const times = new Map<string, unknown>();
    const count = counter();
    return async (request, next) => {
      const id = idOf(request);
      if (isReschedule(request)) {
        const before = await next(another(request, "GET", request.path));
        const response = await next(request);
        if (isSuccess(response)) times.set(id, objectOf(before.body).scheduled_at);
        return response;
      }
      const response = await next(request);
      const old = times.get(id);
      return isMessageLookup(request) &&
        isSuccess(response) &&
        old !== undefined &&
        count(`${id} ${String(old)}`) > 1
        ? withFields(response, { scheduled_at: old })
        : response;
    };
  }),
  // Source: from experience (the third template of a process is compiled from the first)
  stateful(
    "SEND-16",
    "from the third message on, those from a template have the variables of the first",
    () => {
      const count = counter();
      const first = new Map<string, unknown>();
      return (request, next) => {
        const { template_id: template, variables } = objectOf(request.body);
        if (
          !isSend(request) ||
          template === undefined ||
          !isObject(variables) ||
          keyOf(request) !== undefined
        )
          return next(request);
        const name = `${authorizationOf(request)} ${String(template)}`;
        if (!first.has(name)) first.set(name, variables);
        return next(
          count(name) >= 3 ? withBody(request, (body) => ({ ...body, variables: first.get(name) })) : request,
        );
      };
    },
  ),
  // Source: from experience (quota is read once in a while)
  remembers("HEAD-4", "each third send shows the remaining allowance of the one before", () => {
    const count = counter();
    const last = new Map<string, string>();
    return (response, request) => {
      const remaining = response.headers["x-service-monthly-remaining"];
      if (!isAnySend(request) || remaining === undefined) return response;
      const before = last.get(authorizationOf(request)) ?? remaining;
      last.set(authorizationOf(request), remaining);
      return count(authorizationOf(request)) % 3 === 0
        ? withHeader(response, "x-service-monthly-remaining", before)
        : response;
    };
  }),
];
