import { randomUUID } from "node:crypto";
import {
  idOf,
  isBatch,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  stateful,
  timeOf,
  unsent,
} from "./email.ts";
import { authorizationOf, day, hour, iso } from "./history.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
  type SandboxContext,
  shows,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, listOf, objectOf, textOf } from "./newsletter.ts";
import { withFields, withHeaders } from "./requests.ts";
import { isReplay, scopedKey, withoutKey } from "./same-key.ts";

/** A month in UTC. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

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
  remembers("LOOK-22", title, ({ now }) => {
    const created = new Map<string, number>();
    return (response, request) => {
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

/** Changes the time of delivery if it is in the month after that of sending. */
const deliveredInNextMonth = (
  title: string,
  change: (sent: number, delivered: number) => string | null,
): Mutant =>
  shows("DELIV-3", `a message whose delivery falls into the next month ${title}`, (response, request) => {
    const record = objectOf(response.body);
    const [sent, delivered] = [record.sent_at, record.delivered_at].map(timeOf) as [number, number];
    return isMessageLookup(request) && delivered > sent && monthOf(sent) !== monthOf(delivered)
      ? { ...response, body: { ...record, delivered_at: change(sent, delivered) } }
      : response;
  });

export const periodMutants: Mutant[] = [
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
  // Source: from experience (a cache with room for few keys)
  stateful("IDEM-9", "the latest 5 idempotency keys of contacts are remembered", () => {
    const latest = new Map<string, string>();
    return (request, next) => {
      const id = scopedKey(request);
      if (!isUpsert(request) || id === undefined || id.length > 256) return next(request);
      const key = latest.get(id) ?? randomUUID();
      latest.delete(id);
      latest.set(id, key);
      for (const old of [...latest.keys()].slice(0, -5)) latest.delete(old);
      return next({ ...request, headers: { ...request.headers, "idempotency-key": key } });
    };
  }),
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
        ? withFields(response, { scheduled_at: shown })
        : response;
    };
  }),
  shows(
    "SCHED-20",
    "a scheduled message is sent at the next multiple of fifteen minutes",
    (response, request, { now }) => {
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
          ? withFields(response, { scheduled_at: shown })
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
  remembers("SCHED-20", "a message that is scheduled for exactly midnight is sent a day later", ({ now }) => {
    const late = new Map<string, number>();
    return (response, request) => {
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
  shows(
    "DELIV-3",
    "a message that is sent in the last minute of an hour is confirmed an hour later",
    (response, request, { now }) => {
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
  deliveredInNextMonth("is delivered without a time", () => null),
  deliveredInNextMonth("has the time of delivery in the month of sending", (sent, delivered) =>
    iso(delivered - Math.ceil((delivered - sent) / day) * day),
  ),
  takes("SCHED-4", "a time with a fraction of .9995 or more is a minute later", (request) => {
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
  shows(
    "SCHED-21",
    "a scheduled message cannot be looked up in the minute after its time",
    (response, request, { now }) => {
      const time = timeOf(objectOf(response.body).scheduled_at);
      return isMessageLookup(request) && isSuccess(response) && now() >= time && now() < time + 60_000
        ? errorResponse(404, "not_found")
        : response;
    },
  ),
  shows("LOOK-1", "a message of the month before cannot be looked up", (response, request, { now }) => {
    const sent = timeOf(objectOf(response.body).sent_at);
    return isMessageLookup(request) &&
      isSuccess(response) &&
      !Number.isNaN(sent) &&
      monthOf(sent) !== monthOf(now())
      ? errorResponse(404, "not_found")
      : response;
  }),
];
