import { idOf, isCancel, isMessageLookup, isReschedule, stateful, timeOf } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";

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

export const terminalStatesMutants: Mutant[] = [...ofSent, ...returnsSuccess];
