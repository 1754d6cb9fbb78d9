import {
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  recipientsOf,
  stateful,
  timeOf,
  unsent,
} from "./email.ts";
import { authorizationOf, day, hour, iso } from "./history.ts";
import {
  changeRequests,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  type SandboxContext,
} from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, listOf, objectOf, textOf } from "./newsletter.ts";
import { isError, withFields, withHeaders } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

/** A month in UTC. */
const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
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
  stateful("LIMIT-6", title, ({ now }) => {
    const all = new Map<string, Planned>();
    return async (request, next) => {
      const response = await next(request);
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
  stateful("HEAD-4", title, ({ now }) => {
    const accounts = new Map<
      string,
      { first: number; period: string; used: number; last: number; month: string }
    >();
    return async (request, next) => {
      const response = await next(request);
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

/** Idempotency keys that are forgotten at other times: `part` changes when they are. */
const forgets = (
  title: string,
  applies: (request: MutantRequest) => boolean,
  part: (now: number, first: number) => string,
): Mutant =>
  stateful("IDEM-9", title, ({ now }) => {
    const firsts = new Map<string, number>();
    return (request, next) => {
      const key = request.headers["idempotency-key"];
      if (key === undefined || key.length > 230 || !applies(request)) return next(request);
      const name = `${authorizationOf(request)} ${key}`;
      const first = firsts.get(name) ?? now();
      firsts.set(name, now() - first > day ? now() : first);
      const other = part(now(), first);
      return next(
        other === ""
          ? request
          : { ...request, headers: { ...request.headers, "idempotency-key": `${key} ${other}` } },
      );
    };
  });

/** Messages that cannot be looked up after some days. */
const lostAfter = (
  title: string,
  applies: (record: Record<string, unknown>, created: number) => boolean,
  end: (record: Record<string, unknown>, created: number) => number,
): Mutant =>
  stateful("LOOK-22", title, ({ now }) => {
    const created = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if ((isSend(request) || isBatch(request)) && isSuccess(response)) {
        const { id, data } = objectOf(response.body);
        for (const one of [id, ...listOf(data).map((entry) => objectOf(entry).id)])
          if (typeof one === "string" && !created.has(one)) created.set(one, now());
      }
      const at = isMessageLookup(request) && isSuccess(response) ? created.get(idOf(request)) : undefined;
      const record = objectOf(response.body);
      return at !== undefined && applies(record, at) && now() > end(record, at)
        ? errorResponse(404, "not_found")
        : response;
    };
  });

/** A scheduled send or rescheduling that is accepted or rejected by another limit. */
const limits = (
  requirement: RequirementId,
  title: string,
  isRejected: (request: MutantRequest, time: number, context: SandboxContext) => boolean,
): Mutant =>
  stateful(requirement, title, (context) => (request, next) => {
    const time = timeOf(objectOf(request.body).scheduled_at);
    return (isScheduled(request) || isReschedule(request)) && isRejected(request, time, context)
      ? errorResponse(422, "invalid_request", "scheduled_at")
      : next(request);
  });

const retryAfter = (
  title: string,
  change: (seconds: number, now: number, response: MutantResponse) => number,
): Mutant =>
  stateful("HEAD-8", title, ({ now }) => async (request, next) => {
    const response = await next(request);
    const seconds = Number(response.headers["retry-after"]);
    return isError(response, 429, "rate_limited") && seconds > 0
      ? withHeaders(response, { "retry-after": String(change(seconds, now(), response)) })
      : response;
  });

export const periodMutants: Mutant[] = [
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
  stateful("HEAD-4", "sends in the last two hours of a month do not count", ({ now }) => {
    const lost = new Map<string, { month: string; count: number }>();
    return async (request, next) => {
      const response = await next(request);
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
  forgets("an idempotency key of a batch is forgotten after twelve hours", isBatch, (now, first) =>
    now - first > 12 * hour && now - first < day ? "late" : "",
  ),
  forgets("an idempotency key of an upsert is forgotten after an hour", isUpsert, (now, first) =>
    now - first > hour && now - first < day ? "late" : "",
  ),
  stateful(
    "IDEM-9",
    "the idempotency key of a scheduled send is forgotten when the message is sent",
    ({ now }) => {
      const times = new Map<string, number>();
      return async (request, next) => {
        const key = request.headers["idempotency-key"];
        if (!isScheduled(request) || key === undefined || key.length > 240) return next(request);
        const name = `${authorizationOf(request)} ${key}`;
        const time = times.get(name) ?? Number.POSITIVE_INFINITY;
        const response = await next(
          now() > time
            ? { ...request, headers: { ...request.headers, "idempotency-key": `${key} sent` } }
            : request,
        );
        if (isSuccess(response) && !times.has(name))
          times.set(name, timeOf(objectOf(response.body).scheduled_at));
        return response;
      };
    },
  ),
  stateful("IDEM-9", "each replay makes an idempotency key valid for another day", ({ now }) => {
    const known = new Map<string, { at: number; body: string; response: MutantResponse }>();
    return async (request, next) => {
      const key = request.headers["idempotency-key"];
      if (key === undefined) return next(request);
      const name = `${authorizationOf(request)} ${request.method} ${request.path} ${key}`;
      const body = JSON.stringify(request.body) ?? "";
      const before = known.get(name);
      if (
        before !== undefined &&
        before.body === body &&
        now() - before.at < day &&
        before.response.headers["x-first"] !== undefined
      ) {
        const isOld = now() - Number(before.response.headers["x-first"]) > day;
        before.at = now();
        if (isOld) {
          const { "x-first": _, ...headers } = before.response.headers;
          return { ...before.response, headers: { ...headers, "idempotent-replayed": "true" } };
        }
      }
      const response = await next(request);
      if (isSuccess(response) && !isReplay(response))
        known.set(name, { at: now(), body, response: withHeaders(response, { "x-first": String(now()) }) });
      return response;
    };
  }),
  limits(
    "SCHED-2",
    "a time between 29 and 30 days ahead is rejected: the days are counted from midnight",
    (_, time, { now }) => {
      const last = Date.parse(`${dayOf(now())}T00:00:00Z`) + 30 * day;
      return time > Math.min(last, now() + 29.5 * day) && time <= now() + 30 * day;
    },
  ),
  stateful(
    "SCHED-8",
    "a rescheduling is rejected if the time is more than 30 days after the message was created",
    ({ now }) => {
      const created = new Map<string, number>();
      return async (request, next) => {
        const at = created.get(idOf(request));
        const time = timeOf(objectOf(request.body).scheduled_at);
        if (isReschedule(request) && at !== undefined && time > at + 30 * day && time <= now() + 30 * day)
          return errorResponse(422, "invalid_request", "scheduled_at");
        const response = await next(request);
        if (isScheduled(request) && isSuccess(response))
          created.set(textOf(objectOf(response.body).id), now());
        return response;
      };
    },
  ),
  stateful("SCHED-2", "a time up to 31 days ahead is accepted", ({ now }) => {
    const asked = new Map<string, string>();
    return async (request, next) => {
      const time = timeOf(objectOf(request.body).scheduled_at);
      const isBeyond = isScheduled(request) && time > now() + 30 * day && time <= now() + 31 * day;
      const response = await next(
        isBeyond ? withFields(request, { scheduled_at: iso(now() + 30 * day - 1000) }) : request,
      );
      const id = isSend(request) ? textOf(objectOf(response.body).id) : idOf(request);
      if (isBeyond && isSuccess(response)) asked.set(id, iso(time));
      const shown = asked.get(id);
      return shown !== undefined && isSuccess(response) && (isSend(request) || isMessageLookup(request))
        ? { ...response, body: { ...objectOf(response.body), scheduled_at: shown } }
        : response;
    };
  }),
  stateful(
    "SCHED-20",
    "a scheduled message is sent at the next multiple of fifteen minutes",
    ({ now }) =>
      async (request, next) => {
        const response = await next(request);
        const record = objectOf(response.body);
        const quarter = 15 * 60_000;
        const due = Math.ceil(timeOf(record.scheduled_at) / quarter) * quarter;
        if (!isMessageLookup(request) || !isSuccess(response) || !(now() < due) || record.sent_at === null)
          return response;
        return { ...response, body: unsent(record) };
      },
  ),
  stateful(
    "SCHED-20",
    "a message that is scheduled for another day is sent when that day begins",
    ({ now }) => {
      const asked = new Map<string, string>();
      return async (request, next) => {
        const time = timeOf(objectOf(request.body).scheduled_at);
        const midnight = Number.isNaN(time) ? 0 : Date.parse(`${dayOf(time)}T00:00:00Z`);
        const isEarly = isScheduled(request) && midnight > now() && time <= now() + 30 * day;
        const response = await next(isEarly ? withFields(request, { scheduled_at: iso(midnight) }) : request);
        const id = isSend(request) ? textOf(objectOf(response.body).id) : idOf(request);
        if (isEarly && isSuccess(response)) asked.set(id, iso(time));
        if (isReschedule(request) && isSuccess(response)) asked.delete(id);
        const shown = asked.get(id);
        return shown !== undefined && isSuccess(response) && (isSend(request) || isMessageLookup(request))
          ? { ...response, body: { ...objectOf(response.body), scheduled_at: shown } }
          : response;
      };
    },
  ),
  lostAfter(
    "a scheduled message can be looked up for 30 days after it was created",
    (record) => record.sent_at !== null && record.scheduled_at !== null,
    (_, created) => created + 30 * day,
  ),
  lostAfter(
    "a message of a batch can be looked up for seven days",
    ({ id }, created) => textOf(id).startsWith("sched_") && created > 0,
    (record, created) => (record.scheduled_at === null ? created + 7 * day : Number.POSITIVE_INFINITY),
  ),
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
  stateful("HEAD-7", "after a window in which the limit was reached one request less remains", () => {
    const reached = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isError(response, 429, "rate_limited")) reached.add(authorizationOf(request));
      const remaining = response.headers["x-ratelimit-remaining"];
      return remaining !== undefined && reached.has(authorizationOf(request))
        ? withHeaders(response, { "x-ratelimit-remaining": String(Math.max(0, Number(remaining) - 1)) })
        : response;
    };
  }),
  stateful("HEAD-4", "the first send of a month still shows the allowance of the month before", ({ now }) => {
    const last = new Map<string, { month: string; remaining: string }>();
    return async (request, next) => {
      const response = await next(request);
      const remaining = response.headers["x-service-monthly-remaining"];
      if (!(isSend(request) || isBatch(request)) || remaining === undefined) return response;
      const month = monthOf(now());
      const before = last.get(authorizationOf(request));
      last.set(authorizationOf(request), { month, remaining });
      return before !== undefined && before.month !== month
        ? withHeaders(response, { "x-service-monthly-remaining": before.remaining })
        : response;
    };
  }),
  stateful("SCHED-20", "a message that is scheduled for exactly midnight is sent a day later", ({ now }) => {
    const late = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      const { id, scheduled_at: time } = objectOf(response.body);
      if (isScheduled(request) && isSuccess(response) && timeOf(time) % day === 0)
        late.set(textOf(id), timeOf(time) + day);
      const due = late.get(idOf(request)) ?? 0;
      const record = objectOf(response.body);
      if (!isMessageLookup(request) || !isSuccess(response) || now() >= due || record.sent_at === null)
        return response;
      return { ...response, body: unsent(record) };
    };
  }),
  stateful(
    "DELIV-3",
    "a message that is sent in the last minute of an hour is confirmed an hour later",
    ({ now }) =>
      async (request, next) => {
        const response = await next(request);
        const record = objectOf(response.body);
        const sent = timeOf(record.sent_at);
        return isMessageLookup(request) &&
          isSuccess(response) &&
          record.status === "delivered" &&
          sent % hour >= hour - 60_000 &&
          now() < sent + hour
          ? { ...response, body: { ...record, status: "sent", delivered_at: null } }
          : response;
      },
  ),
  changeRequests("SCHED-4", "a time with a fraction of .9995 or more is a minute later", (request) => {
    const time = textOf(objectOf(request.body).scheduled_at);
    return (isScheduled(request) || isReschedule(request)) && /\.999[5-9]/.test(time)
      ? withFields(request, { scheduled_at: iso(timeOf(time) + 60_000) })
      : request;
  }),
  stateful("SCHED-10", "a message that is rescheduled to another day is sent on the first day too", () => {
    const originals = new Map<string, { request: MutantRequest; day: string }>();
    return async (request, next) => {
      const response = await next(request);
      if (isScheduled(request) && isSuccess(response))
        originals.set(textOf(objectOf(response.body).id), {
          request,
          day: dayOf(timeOf(objectOf(response.body).scheduled_at)),
        });
      const original =
        isReschedule(request) && isSuccess(response) ? originals.get(idOf(request)) : undefined;
      const time = timeOf(objectOf(request.body).scheduled_at);
      if (original === undefined || dayOf(time) === original.day) return response;
      originals.delete(idOf(request));
      await next(withoutKey(original.request));
      return response;
    };
  }),
  stateful(
    "SCHED-21",
    "a scheduled message cannot be looked up in the minute after its time",
    ({ now }) =>
      async (request, next) => {
        const response = await next(request);
        const time = timeOf(objectOf(response.body).scheduled_at);
        return isMessageLookup(request) && isSuccess(response) && now() >= time && now() < time + 60_000
          ? errorResponse(404, "not_found")
          : response;
      },
  ),
  stateful(
    "LOOK-1",
    "a message of the month before cannot be looked up",
    ({ now }) =>
      async (request, next) => {
        const response = await next(request);
        const sent = timeOf(objectOf(response.body).sent_at);
        return isMessageLookup(request) &&
          isSuccess(response) &&
          !Number.isNaN(sent) &&
          monthOf(sent) !== monthOf(now())
          ? errorResponse(404, "not_found")
          : response;
      },
  ),
  stateful("HEAD-7", "an immediate send at a full hour restores the remaining requests", ({ now }) => {
    const restored = new Map<string, { at: number; more: number }>();
    return async (request, next) => {
      const response = await next(request);
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
