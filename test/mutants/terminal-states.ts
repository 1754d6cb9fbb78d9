import {
  idOf,
  isCancel,
  isMessageLookup,
  isReschedule,
  isScheduled,
  stateful,
  timeOf,
  unsent,
} from "./email.ts";
import type { Mutant, MutantRequest } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";
import { isReplay } from "./same-key.ts";

const iso = (time: number): string => new Date(time).toISOString();

const isValidReschedule = (request: MutantRequest): boolean =>
  isReschedule(request) && !Number.isNaN(timeOf(objectOf(request.body).scheduled_at));

/** A message that was canceled changes in records after a later request. */
const revived = (
  title: string,
  change: (record: Json, given: { asked: number; now: number }) => Json,
  { ends = false, by = isValidReschedule } = {},
): Mutant =>
  stateful("SCHED-14", title, ({ now }) => {
    const canceled = new Set<string>();
    const asked = new Map<string, number>();
    return async (request, next) => {
      const id = idOf(request);
      if (canceled.has(id) && by(request)) asked.set(id, timeOf(objectOf(request.body).scheduled_at));
      else if (isCancel(request) && ends) asked.delete(id);
      const response = await next(request);
      if (isCancel(request) && isSuccess(response)) canceled.add(id);
      const time = asked.get(id);
      return isMessageLookup(request) && isSuccess(response) && time !== undefined
        ? { ...response, body: change(objectOf(response.body), { asked: time, now: now() }) }
        : response;
    };
  });

const ofCanceled: Mutant[] = [
  revived(
    "rescheduling reactivates a canceled message until it is canceled again",
    (record, { asked }) => ({ ...record, status: "scheduled", scheduled_at: iso(asked) }),
    { ends: true },
  ),
  revived("a canceled message that is rescheduled is sent at its new time", (record, { asked, now }) =>
    asked < now ? { ...record, status: "sent", sent_at: iso(asked) } : record,
  ),
  revived("canceling a canceled message reactivates it", (record) => ({ ...record, status: "scheduled" }), {
    by: isCancel,
  }),
  revived(
    "an invalid reschedule reactivates a canceled message",
    (record) => ({ ...record, status: "scheduled" }),
    {
      by: (request) => isReschedule(request) && !isValidReschedule(request),
    },
  ),
  stateful("SCHED-14", "the replay of a send reactivates a canceled message", () => {
    const back = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (isScheduled(request) && isReplay(response)) back.add(objectOf(response.body).id);
      return isMessageLookup(request) && isSuccess(response) && back.has(idOf(request))
        ? { ...response, body: unsent(objectOf(response.body)) }
        : response;
    };
  }),
  stateful("SCHED-14", "a rescheduled message that was canceled is sent at its first time", ({ now }) => {
    const first = new Map<string, number>();
    return async (request, next) => {
      const id = idOf(request);
      if (isReschedule(request) && !first.has(id)) {
        const { body } = await next({ ...request, method: "GET", body: undefined });
        first.set(id, timeOf(objectOf(body).scheduled_at));
      }
      const response = await next(request);
      const record = objectOf(response.body);
      const time = first.get(id) ?? Number.POSITIVE_INFINITY;
      return isMessageLookup(request) && record.status === "canceled" && time < now()
        ? { ...response, body: { ...record, status: "sent", sent_at: iso(time) } }
        : response;
    };
  }),
];

/** A rejected change of a message in a final status changes its record. */
const changed = (status: string, what: string, by: typeof isCancel, change: (time: number) => Json): Mutant =>
  stateful("SCHED-19", `a rejected ${what} changes a ${status} message`, () => {
    const asked = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (by(request) && !isSuccess(response))
        asked.set(idOf(request), timeOf(objectOf(request.body).scheduled_at));
      const record = objectOf(response.body);
      const time = asked.get(idOf(request));
      return isMessageLookup(request) && record.status === status && time !== undefined
        ? { ...response, body: { ...record, ...change(time) } }
        : response;
    };
  });

const ofSent: Mutant[] = ["delivered", "bounced", "complained"].flatMap((status) => [
  changed(status, "cancel", isCancel, () => ({ status: "canceled" })),
  changed(status, "reschedule", isReschedule, (time) => ({ scheduled_at: iso(time) })),
]);

const returnsSuccess: Mutant[] = (
  [
    ["SCHED-11", "rescheduled", isReschedule, {}],
    ["SCHED-17", "canceled", isCancel, { status: "canceled" }],
  ] as const
).map(([requirement, what, by, body]) =>
  stateful(requirement, `a complained message can be ${what}`, () => async (request, next) => {
    const response = await next(request);
    if (!by(request) || response.status !== 409) return response;
    const found = await next({ ...request, method: "GET", body: undefined });
    return objectOf(found.body).status === "complained" ? { ...found, body } : response;
  }),
);

export const terminalStatesMutants: Mutant[] = [...ofCanceled, ...ofSent, ...returnsSuccess];
