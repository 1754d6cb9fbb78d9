import { accepted, idOf, isCancel, isMessageLookup, isReschedule, stateful, timeOf } from "./email.ts";
import { changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf } from "./newsletter.ts";
import { withKey } from "./requests.ts";
import { unperformedChange } from "./unperformed.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

const ofCanceling: Mutant[] = [
  unperformedChange("SCHED-13", "a canceled message is not found", {
    applies: isCancel,
    shows: (record) => ({ ...record, status: "failed" }),
  }),
  stateful("SCHED-14", "rescheduling reactivates a canceled message", () => {
    const back = new Set<string>();
    return async (request, next) => {
      if (isReschedule(request)) back.add(idOf(request));
      const response = await next(request);
      const record = objectOf(response.body);
      return isMessageLookup(request) && record.status === "canceled" && back.has(idOf(request))
        ? { ...response, body: { ...record, status: "scheduled" } }
        : response;
    };
  }),
  ...([["is called cancelled", { status: "cancelled" }]] as const).map(([title, body]) =>
    changeResponses("SCHED-15", `the status in the response to a cancel ${title}`, (response, request) =>
      isCancel(request) && isSuccess(response) ? { ...response, body } : undefined,
    ),
  ),
  respondInstead("SCHED-16", "rejects a cancel without a body", (request) =>
    isCancel(request) && request.body === undefined
      ? errorResponse(422, "invalid_request", "body")
      : undefined,
  ),
  changeResponses("SCHED-18", "returns success for a cancel of a nonexistent id", (response, request) =>
    isCancel(request) && response.status === 404
      ? accepted(response, 200, { status: "canceled" })
      : undefined,
  ),
  stateful("SCHED-18", "another account can cancel a message", ({ bearer }) => async (request, next) => {
    const response = await next(request);
    return isCancel(request) && response.status === 404 ? next(withKey(request, bearer("full"))) : response;
  }),
];

/** A rejected request changes the message. */
const changing = (
  title: string,
  applies: typeof isMessageLookup,
  change: (record: Json, rejectedBody: Json) => Json,
): Mutant =>
  stateful("SCHED-19", title, ({ bearer }) => {
    const rejectedBodies = new Map<string, Json>();
    return async (request, next) => {
      const response = await next(request);
      if (applies(request) && response.status >= 400)
        rejectedBodies.set(idOf(request), objectOf(request.body));
      const rejectedBody = rejectedBodies.get(idOf(request));
      const isOwn = request.headers.authorization === bearer("full");
      return isMessageLookup(request) && isSuccess(response) && rejectedBody !== undefined && isOwn
        ? { ...response, body: change(objectOf(response.body), rejectedBody) }
        : response;
    };
  });

const isTooFar: typeof isMessageLookup = (request) =>
  isReschedule(request) && timeOf(objectOf(request.body).scheduled_at) - Date.now() > 30 * day;

const ofLeaving: Mutant[] = [
  changing("a reschedule with an invalid time stores it", isTooFar, (record, { scheduled_at }) =>
    record.status === "scheduled" ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("a cancel of another account returns 404, but cancels", isCancel, (record) =>
    record.status === "scheduled" ? { ...record, status: "canceled" } : record,
  ),
];

export const cancelingMutants: Mutant[] = [...ofCanceling, ...ofLeaving];
