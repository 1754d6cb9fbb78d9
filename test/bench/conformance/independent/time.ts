import { limits } from "../../../../generated/limits.ts";
import {
  idOf,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  stateful,
  timeOf,
} from "../../../mutants/email.ts";
import { authorizationOf, day, hour, iso, withPast } from "../../../mutants/history.ts";
import { shows, takes } from "../../../mutants/mutant.ts";
import { errorResponse, isSuccess, isUpsert, listOf, objectOf, textOf } from "../../../mutants/newsletter.ts";
import { withFields } from "../../../mutants/requests.ts";
import { scopedKey, withoutKey } from "../../../mutants/same-key.ts";
import { type IndependentFault, madeUp, withAllowance } from "./fault.ts";

const minute = 60_000;
const second = 1000;

/** Periods begin or end at another time, and times are not those of the request. */
export const timeFaults: IndependentFault[] = madeUp(
  takes("SCHED-9", "a rescheduling rounds its time up to a whole minute", (request) => {
    const { scheduled_at: given } = objectOf(request.body);
    const time = timeOf(given);
    const hasOffset = /T.*(Z|[+-]\d\d:\d\d)$/.test(textOf(given));
    return isReschedule(request) && hasOffset && !Number.isNaN(time) && time % minute !== 0
      ? withFields(request, { scheduled_at: iso(Math.ceil(time / minute) * minute) })
      : undefined;
  }),
  stateful("IDEM-9", "the idempotency key of a contact is valid for twelve hours", ({ now }) => {
    const first = new Map<string, number>();
    return (request, next) => {
      const key = isUpsert(request) ? scopedKey(request) : undefined;
      if (key === undefined) return next(request);
      const time = first.get(key) ?? now();
      first.set(key, time);
      return next(now() - time > 12 * hour ? withoutKey(request) : request);
    };
  }),
  stateful("IDEM-9", "the idempotency key of a send is valid until midnight", ({ now }) => {
    const first = new Map<string, string>();
    return (request, next) => {
      const key = isSend(request) ? scopedKey(request) : undefined;
      if (key === undefined) return next(request);
      const [today = ""] = iso(now()).split("T");
      const date = first.get(key) ?? today;
      first.set(key, date);
      return next(date === today ? request : withoutKey(request));
    };
  }),
  shows("LOOK-22", "a bounced message can be looked up for seven days", (response, request, { now }) => {
    if (!isMessageLookup(request) || !isSuccess(response)) return undefined;
    const bounced = timeOf(objectOf(response.body).bounced_at ?? "");
    return now() - bounced > 7 * day ? errorResponse(404, "not_found") : undefined;
  }),
  stateful("LOOK-22", "a scheduled message can be looked up for 30 days after its request", ({ now }) => {
    const requested = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response)) return response;
      const id = textOf(objectOf(response.body).id);
      if (isScheduled(request) && !requested.has(id)) requested.set(id, now());
      const time = requested.get(idOf(request)) ?? now();
      return isMessageLookup(request) && now() - time > limits.messageLookup * day
        ? errorResponse(404, "not_found")
        : response;
    };
  }),
  withPast(
    "LIMIT-6",
    "recipients in cc of a scheduled message count from its request on",
    async (request, next, { history, context }) => {
      const response = await next(request);
      const waiting = [...history.messages.values()].filter(
        ({ kind, canceled, times, changedBy }) =>
          kind === "scheduled" &&
          !canceled &&
          changedBy === authorizationOf(request) &&
          (times.at(-1) ?? 0) > context.now(),
      );
      return withAllowance(response, -waiting.flatMap(({ sent }) => listOf(sent.cc)).length);
    },
  ),
  stateful("SCHED-8", "a message can be moved to 30 days after its first request at most", ({ now }) => {
    const requested = new Map<string, number>();
    const ahead = limits.scheduleAhead * day;
    return async (request, next) => {
      const { scheduled_at: given } = objectOf(request.body);
      const first = requested.get(idOf(request));
      const time = timeOf(given);
      const isTooLate = first !== undefined && time > first + ahead && time <= now() + ahead - second;
      const taken =
        isReschedule(request) && isTooLate
          ? withFields(request, { scheduled_at: iso(now() + ahead + day) })
          : request;
      const response = await next(taken);
      if (isScheduled(request) && isSuccess(response))
        requested.set(textOf(objectOf(response.body).id), now());
      return response;
    };
  }),
);
