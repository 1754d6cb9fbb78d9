// The monthly allowance and the rate limit at the ends of their periods.

import {
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isReschedule,
  isScheduled,
  isSend,
  recipientsOf,
  stateful,
  timeOf,
} from "./email.ts";
import { authorizationOf, day, hour } from "./history.ts";
import { type Mutant, type MutantResponse, remembers, shows } from "./mutant.ts";
import { errorResponse, isSuccess, listOf, objectOf, textOf } from "./newsletter.ts";
import { dayOf, monthOf } from "./periods.ts";
import { isError, withHeaders } from "./requests.ts";
import { isReplay } from "./same-key.ts";

const startOfMonth = (time: number): number => Date.parse(`${monthOf(time)}-01T00:00:00Z`);

const startOfNextMonth = (time: number): number => startOfMonth(startOfMonth(time) + 32 * day);

/** A scheduled message as an account knows it. */
interface Planned {
  auth: string;
  count: number;
  created: number;
  /** When it was planned for at first, and now. */
  original: number;
  time: number;
  canceled: boolean;
}

/** The remaining allowance with another count of scheduled messages. */
const countsPlanned = (title: string, extra: (planned: Planned, now: number) => number): Mutant =>
  remembers("LIMIT-6", title, ({ now }) => {
    const all = new Map<string, Planned>();
    return (response, request) => {
      const auth = authorizationOf(request);
      const id =
        isReschedule(request) || isCancel(request) ? idOf(request) : textOf(objectOf(response.body).id);
      if (isSuccess(response) && isScheduled(request) && !isReplay(response)) {
        const time = timeOf(objectOf(response.body).scheduled_at);
        const suppressed = listOf(objectOf(response.body).suppressed).length;
        all.set(id, {
          auth,
          count: recipientsOf(request) - suppressed,
          created: now(),
          original: time,
          time,
          canceled: false,
        });
      }
      const planned = all.get(id);
      if (isSuccess(response) && planned !== undefined && isReschedule(request))
        planned.time = timeOf(objectOf(request.body).scheduled_at);
      if (isSuccess(response) && planned !== undefined && isCancel(request)) planned.canceled = true;
      const { "x-service-monthly-remaining": remaining, "x-service-monthly-quota": quota } = response.headers;
      if (!(isSend(request) || isBatch(request)) || remaining === undefined) return response;
      const more = [...all.values()].filter((one) => one.auth === auth).map((one) => extra(one, now()));
      const shown = Number(remaining) - more.reduce((sum, one) => sum + one, 0);
      return withHeaders(response, {
        "x-service-monthly-remaining": String(Math.max(0, Math.min(Number(quota), shown))),
      });
    };
  });

/** The remaining allowance as it would be if it began again at other times. */
const beginsAgain = (
  title: string,
  /** The name of the period that a time is in. */
  periodOf: (time: number, first: number) => string,
  /** Whether the service's own count begins again. */
  keeps: boolean,
): Mutant =>
  remembers("HEAD-4", title, ({ now }) => {
    const accounts = new Map<
      string,
      { first: number; period: string; used: number; last: number; month: string }
    >();
    return (response, request) => {
      const { "x-service-monthly-remaining": remaining, "x-service-monthly-quota": quota } = response.headers;
      if (!(isSend(request) || isBatch(request)) || remaining === undefined) return response;
      const auth = authorizationOf(request);
      const used = Number(quota) - Number(remaining);
      const before = accounts.get(auth) ?? {
        first: now(),
        period: "",
        used: 0,
        last: 0,
        month: monthOf(now()),
      };
      const period = periodOf(now(), before.first);
      // What this request and those since the one before have used.
      const isSameMonth = before.month === monthOf(now());
      const added = Math.max(0, isSameMonth && before.period !== "" ? used - before.last : used);
      const isSame = period === before.period || before.period === "" || keeps;
      const total = (isSame ? before.used : 0) + added;
      accounts.set(auth, { first: before.first, period, used: total, last: used, month: monthOf(now()) });
      return withHeaders(response, {
        "x-service-monthly-remaining": String(Math.max(0, Number(quota) - total)),
      });
    };
  });

const retryAfter = (
  title: string,
  change: (seconds: number, now: number, response: MutantResponse) => number,
): Mutant =>
  shows("HEAD-8", title, (response, _request, { now }) => {
    const seconds = Number(response.headers["retry-after"]);
    return isError(response, 429, "rate_limited") && seconds > 0
      ? withHeaders(response, { "retry-after": String(change(seconds, now(), response)) })
      : response;
  });

export const allowancePeriodMutants: Mutant[] = [
  countsPlanned(
    "a message that is scheduled in one month and sent in the next never counts",
    ({ count, created, time, canceled }, now) =>
      !canceled && now >= time && monthOf(now) === monthOf(time) && monthOf(created) !== monthOf(time)
        ? -count
        : 0,
  ),
  countsPlanned(
    "a message that is scheduled for the next month counts in this one",
    ({ count, created, time, canceled }, now) =>
      !canceled && now < time && monthOf(now) === monthOf(created) && monthOf(created) !== monthOf(time)
        ? count
        : 0,
  ),
  countsPlanned(
    "a message that is rescheduled to later counts from its first time on",
    ({ count, original, time, canceled }, now) =>
      !canceled && time > original && now >= original && now < time && monthOf(now) === monthOf(original)
        ? count
        : 0,
  ),
  countsPlanned("a canceled message counts when its time comes", ({ count, time, canceled }, now) =>
    canceled && now >= time && monthOf(now) === monthOf(time) ? count : 0,
  ),
  beginsAgain("the monthly allowance begins again at midnight", (time) => dayOf(time), false),
  remembers("HEAD-4", "sends in the last two hours of a month do not count", ({ now }) => {
    const lost = new Map<string, { month: string; count: number }>();
    return (response, request) => {
      const { "x-service-monthly-remaining": remaining } = response.headers;
      if (!(isSend(request) || isBatch(request)) || remaining === undefined) return response;
      const month = monthOf(now());
      const before = lost.get(authorizationOf(request));
      const isLate = startOfNextMonth(now()) - now() <= 2 * hour;
      const added = isLate && !isScheduled(request) && !isReplay(response) ? recipientsOf(request) : 0;
      const count = (before?.month === month ? before.count : 0) + added;
      lost.set(authorizationOf(request), { month, count });
      return withHeaders(response, { "x-service-monthly-remaining": String(Number(remaining) + count) });
    };
  }),
  retryAfter("`Retry-After` is two seconds too short", (seconds) => Math.max(0, seconds - 2)),
  retryAfter(
    "`Retry-After` is a time in seconds since 1970",
    (seconds, now) => Math.floor(now / 1000) + seconds,
  ),
  stateful("HEAD-8", "a request during `Retry-After` starts the wait again", ({ now }) => {
    const blocked = new Map<string, number>();
    return async (request, next) => {
      const until = blocked.get(authorizationOf(request)) ?? 0;
      const isEarly = now() < until;
      const response = await next(request);
      if (isError(response, 429, "rate_limited")) {
        const seconds = Number(response.headers["retry-after"]);
        // Only the second one makes it longer: the first one begins it.
        blocked.set(authorizationOf(request), now() + (isEarly ? 60 : seconds) * 1000);
        return response;
      }
      if (!isEarly || !isSuccess(response)) return response;
      const rest = Math.ceil((until - now()) / 1000);
      return withHeaders(errorResponse(429, "rate_limited"), { "retry-after": String(rest) });
    };
  }),
  remembers("HEAD-7", "after a window in which the limit was reached one request less remains", () => {
    const reached = new Set<string>();
    return (response, request) => {
      if (isError(response, 429, "rate_limited")) reached.add(authorizationOf(request));
      const remaining = response.headers["x-ratelimit-remaining"];
      return remaining !== undefined && reached.has(authorizationOf(request))
        ? withHeaders(response, { "x-ratelimit-remaining": String(Math.max(0, Number(remaining) - 1)) })
        : response;
    };
  }),
  remembers(
    "HEAD-4",
    "the first send of a month still shows the allowance of the month before",
    ({ now }) => {
      const last = new Map<string, { month: string; remaining: string }>();
      return (response, request) => {
        const remaining = response.headers["x-service-monthly-remaining"];
        if (!(isSend(request) || isBatch(request)) || remaining === undefined) return response;
        const month = monthOf(now());
        const before = last.get(authorizationOf(request));
        last.set(authorizationOf(request), { month, remaining });
        return before !== undefined && before.month !== month
          ? withHeaders(response, { "x-service-monthly-remaining": before.remaining })
          : response;
      };
    },
  ),
  remembers("LIMIT-5", "a batch as the first request of a month does not count", ({ now }) => {
    const months = new Map<string, { month: string; lost: number }>();
    return (response, request) => {
      const auth = authorizationOf(request);
      const { "x-service-monthly-remaining": remaining } = response.headers;
      if (remaining === undefined) return response;
      const month = monthOf(now());
      const before = months.get(auth);
      const isFirst = before !== undefined && before.month !== month && isBatch(request);
      const lost = isFirst ? recipientsOf(request) : before?.month === month ? before.lost : 0;
      months.set(auth, { month, lost });
      return withHeaders(response, { "x-service-monthly-remaining": String(Number(remaining) + lost) });
    };
  }),
  remembers("HEAD-7", "an immediate send at a full hour restores the remaining requests", ({ now }) => {
    const restored = new Map<string, { at: number; more: number }>();
    return (response, request) => {
      const remaining = response.headers["x-ratelimit-remaining"];
      if (remaining === undefined) return response;
      const before = restored.get(authorizationOf(request));
      if (isImmediate(request) && now() % hour < 1000)
        restored.set(authorizationOf(request), { at: now(), more: 119 - Number(remaining) });
      const more = before !== undefined && now() - before.at < 60_000 ? before.more : 0;
      return withHeaders(response, {
        "x-ratelimit-remaining": String(Math.min(119, Number(remaining) + more)),
      });
    };
  }),
];
