import { limits } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import {
  changeRecords,
  idOf,
  isBatch,
  isMessageLookup,
  isReschedule,
  isScheduled,
  stateful,
  timeOf,
} from "./email.ts";
import { together } from "./fault-support.ts";
import { day, hour, iso } from "./history.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  remembers,
  type SandboxContext,
  shows,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import {
  isError,
  isRequestTo,
  operationOf,
  sentMessages,
  withFields,
  withHeaders,
  withKey,
} from "./requests.ts";
import { keyedRequests, scopedKey, withoutKey } from "./same-key.ts";

const left = "x-ratelimit-remaining";
const allowance = "x-service-monthly-remaining";
const minute = 60_000;

/** The counted requests of a key or an account in the last minute. */
function counter(now: () => number): (name: string) => number {
  const times = new Map<string, number[]>();
  return (name) => {
    const own = (times.get(name) ?? []).filter((time) => time > now() - minute);
    own.push(now());
    times.set(name, own);
    return own.length;
  };
}

/** A 429 rate_limited. */
const tooMany = (wait = 60): MutantResponse =>
  withHeaders(errorResponse(429, "rate_limited"), { "retry-after": String(wait) });

/** Responds although the rate limit is exhausted, as an account with a higher limit. */
async function letIn(
  request: MutantRequest,
  next: Parameters<Interceptor>[1],
  { bearer }: SandboxContext,
): Promise<MutantResponse> {
  const response = await next(request);
  if (!isError(response, 429, "rate_limited")) return response;
  const other = { ...withKey(request, bearer("full")), method: "GET", path: "/api/v1/me", body: undefined };
  return withHeaders(await next(other), { [left]: "0" });
}

/** Counts requests under some name and reports the remaining ones accordingly. */
const countsBy = (
  requirement: Mutant["requirement"],
  title: string,
  nameOf: (request: MutantRequest) => string,
): Mutant => ({
  requirement,
  title,
  intercept: ({ now }) => {
    const count = counter(now);
    return async (request, next) => {
      const response = await next(request);
      if (response.headers[left] === undefined) return response;
      const made = count(nameOf(request));
      return withHeaders(response, { [left]: String(Number(response.headers["x-ratelimit-limit"]) - made) });
    };
  },
});

const productOf = (request: MutantRequest): string => {
  const operation = operationOf(request);
  return operation === undefined ? "none" : (operations[operation].product ?? "account");
};
const keyOf = ({ headers }: MutantRequest): string => headers.authorization ?? "";

export const ofRequests: Mutant[] = [
  {
    requirement: "LIMIT-1",
    title: "the rate limit never resets",
    intercept: () => {
      let limitedKey = "";
      return async (request, next) => {
        if (limitedKey !== "" && keyOf(request) === limitedKey) return tooMany();
        const response = await next(request);
        if (isError(response, 429, "rate_limited")) limitedKey = keyOf(request);
        return response;
      };
    },
  },
  // Source: from experience (the limit is looked at before the request is counted)
  stateful("LIMIT-1", "requests at the same time are let in if one of them is", (context) => {
    const at = together();
    return (request, next) =>
      at(keyOf(request), async (position, first) =>
        position > 0 && !isError(await first, 429, "rate_limited")
          ? letIn(request, next, context)
          : next(request),
      );
  }),
  countsBy("LIMIT-2", "every key has its own rate limit", keyOf),
  countsBy(
    "LIMIT-3",
    "every product has its own rate limit",
    (request) => `${keyOf(request)} ${productOf(request)}`,
  ),
  {
    requirement: "LIMIT-3",
    title: "newsletter requests ignore the rate limit",
    intercept: (context) => (request, next) =>
      isRequestTo(request, "newsletter") ? letIn(request, next, context) : next(request),
  },
];

/** Reports fewer remaining requests or quota, by what requests used too much. */
const takesMore = (
  requirement: Mutant["requirement"],
  title: string,
  name: string,
  tooMuch: (request: MutantRequest, response: MutantResponse) => number,
): Mutant => ({
  requirement,
  title,
  intercept: ({ bearer }) => {
    const taken = new Map<string, number>();
    const isOwn = ["second", "sendOnly", "replaced", "restricted", "readOnly", "manageOnly"] as const;
    const account = (request: MutantRequest): string =>
      isOwn.some((role) => bearer(role) === keyOf(request)) ? bearer("full") : keyOf(request);
    return async (request, next) => {
      const response = await next(request);
      const sum = (taken.get(account(request)) ?? 0) + (isSuccess(response) ? tooMuch(request, response) : 0);
      taken.set(account(request), sum);
      const told = response.headers[name];
      return told === undefined ? response : withHeaders(response, { [name]: String(Number(told) - sum) });
    };
  },
});

const isLater = ({ body }: MutantRequest): boolean => objectOf(body).scheduled_at !== undefined;
const isSimulated = (address: unknown): boolean => String(address).endsWith("@simulator.example");

export const ofBatches: Mutant[] = [
  takesMore("LIMIT-4", "every message of a batch counts as a request", left, (request) =>
    isRequestTo(request, "sendBatch") ? sentMessages(request).length - 1 : 0,
  ),
  takesMore("LIMIT-4", "a batch counts as two requests", left, (request) =>
    isRequestTo(request, "sendBatch") ? 1 : 0,
  ),
];

export const ofAllowance: Mutant[] = [
  takesMore("LIMIT-5", "recipients in bcc do not count toward the quota", allowance, (request) =>
    isRequestTo(request, "sendEmail") && !isLater(request) ? -listOf(objectOf(request.body).bcc).length : 0,
  ),
  takesMore("SIM-6", "simulated recipients do not count toward the quota", allowance, (request) =>
    isRequestTo(request, "sendEmail") && !isLater(request)
      ? -listOf(objectOf(request.body).to).filter(isSimulated).length
      : 0,
  ),
];

/** Records that omit what was sent, and lookups with the wrong window or account. */
export const lookupLimitsMutants: Mutant[] = [
  changeRecords("LOOK-4", "a record has only the first of several recipients", (record) => ({
    ...record,
    to: listOf(record.to).slice(0, 1),
  })),
  changeRecords("LOOK-5", "a record has 255 characters of the subject", (record) => ({
    ...record,
    subject: textOf(record.subject).slice(0, 255),
  })),
  changeRecords("LOOK-6", "a record has at most ten tags", (record) => ({
    ...record,
    tags: Object.fromEntries(Object.entries(objectOf(record.tags)).slice(0, 10)),
  })),
  changeRecords("LOOK-6", "a record has 64 characters of a tag value", (record) => ({
    ...record,
    tags: Object.fromEntries(
      Object.entries(objectOf(record.tags)).map(([name, value]) => [name, textOf(value).slice(0, 64)]),
    ),
  })),
  stateful("LOOK-22", "the lookup window of a scheduled message begins when it is submitted", ({ now }) => {
    const since = new Map<unknown, number>();
    return async (request, next) => {
      const begun = isMessageLookup(request) ? since.get(idOf(request)) : undefined;
      if (begun !== undefined && now() - begun > 30 * day) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isScheduled(request) && isSuccess(response)) since.set(objectOf(response.body).id, now());
      return response;
    };
  }),
  remembers("LOOK-22", "the lookup window of a rescheduled message begins at its first time", ({ now }) => {
    const first = new Map<unknown, number>();
    return (response, request) => {
      const { id, scheduled_at: at } = objectOf(response.body);
      if (isScheduled(request) && isSuccess(response)) first.set(id, first.get(id) ?? Date.parse(textOf(at)));
      const begun = isMessageLookup(request) ? first.get(idOf(request)) : undefined;
      return begun !== undefined && now() - begun > 30 * day ? errorResponse(404, "not_found") : response;
    };
  }),
  stateful("LOOK-23", "another account finds the messages of a batch", ({ bearer }) => {
    const ids = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && ids.has(idOf(request))) return next(withKey(request, bearer("full")));
      const response = await next(request);
      if (isBatch(request) && isSuccess(response) && request.headers.authorization === bearer("full"))
        for (const { id } of objectOf(response.body).data as Json[]) ids.add(id);
      return response;
    };
  }),
];

const ahead = limits.scheduleAhead * day;
const window = limits.idempotencyWindow * hour;

const scheduledAt = (request: MutantRequest): number => timeOf(objectOf(request.body).scheduled_at);
const withTime = (request: MutantRequest, time: number): MutantRequest =>
  withFields(request, { scheduled_at: iso(time) });

/** The scheduled time as if it were in UTC. */
const withoutOffset = (request: MutantRequest): number =>
  timeOf(String(objectOf(request.body).scheduled_at).replace(/[+-]\d\d:\d\d$/, "Z"));

export const ofOffsets: Mutant[] = [
  stateful(
    "SCHED-2",
    "a time is rejected that is within the limit only with its offset",
    ({ now }) =>
      (request, next) =>
        isScheduled(request) && withoutOffset(request) - now() > ahead
          ? errorResponse(422, "invalid_request", "scheduled_at")
          : next(request),
  ),
  takes(
    "SCHED-2",
    "a time is accepted that is within the limit only without its offset",
    (request, { now }) => {
      const applies =
        isScheduled(request) &&
        scheduledAt(request) - now() > ahead &&
        withoutOffset(request) - now() <= ahead;
      return applies ? withTime(request, now() + ahead - hour) : request;
    },
  ),
];

export const ofRescheduling: Mutant[] = [
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

export const ofLookup: Mutant[] = [
  shows("LOOK-22", "a bounced message is found for only a day", (response, request, { now }) => {
    const { status, sent_at } = objectOf(response.body);
    const isOver = isMessageLookup(request) && status === "bounced" && now() - timeOf(sent_at) > day;
    return isOver ? errorResponse(404, "not_found") : response;
  }),
];

export const forgotten: Mutant[] = [...keyedRequests, ["a scheduled send", isScheduled] as const].map(
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

export const ofOverlap: Mutant[] = [
  ...(["sendEmail", "getEmail", "upsertContact", "listNewsletterLists"] as const).map((operation) =>
    takes("AUTH-7", `a replaced key never stops for ${operation}`, (request, { bearer }) => {
      const applies = request.headers.authorization === bearer("replaced") && isRequestTo(request, operation);
      return applies ? withKey(request, bearer("full")) : request;
    }),
  ),
];
