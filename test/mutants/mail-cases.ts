import { from, idOf, isBatch, isCancel, isReschedule, isScheduled, isSend, stateful } from "./email.ts";
import { changeRequests, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { isRequestTo, messagesIn, withKey } from "./requests.ts";
import { withoutKey } from "./same-key.ts";

const recipientsOf = (message: Json): unknown[] =>
  ["to", "cc", "bcc"].flatMap((field) => listOf(message[field]));

/** Mutants of sends that only show in some cases. */
export const mailCasesMutants: Mutant[] = [
  respondInstead(
    "SEND-7",
    "rejects more recipients in to, cc and bcc together than one of them can have",
    (request) =>
      isSend(request) &&
      recipientsOf(objectOf(request.body)).length > 50 &&
      ["to", "cc", "bcc"].every((field) => listOf(objectOf(request.body)[field]).length <= 50)
        ? errorResponse(422, "invalid_request", "to")
        : undefined,
  ),
  stateful(
    "BATCH-7",
    "a batch rejected for a sender sends its other messages",
    () => async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && [403, 422].includes(response.status))
        for (const body of messagesIn(request))
          await next({ ...withoutKey(request), path: "/api/v1/emails", body });
      return response;
    },
  ),
  stateful("SCHED-6", "a restricted key can schedule from every domain", ({ bearer }) => (request, next) => {
    const applies = isScheduled(request) && request.headers.authorization === bearer("restricted");
    return next(applies ? withKey(request, bearer("full")) : request);
  }),
  changeRequests(
    "SCHED-6",
    "accepts a scheduled message from a domain with unfinished verification",
    (request) =>
      isScheduled(request) && textOf(objectOf(request.body).from).endsWith("@unverified.bakery.example")
        ? { ...request, body: { ...objectOf(request.body), from } }
        : undefined,
  ),
  stateful("SCHED-13", "a rescheduled message cannot be canceled", () => {
    const changed = new Set<string>();
    return async (request, next) => {
      if (isCancel(request) && changed.has(idOf(request))) return errorResponse(409, "not_cancellable");
      const response = await next(request);
      if (isReschedule(request) && isSuccess(response)) changed.add(idOf(request));
      return response;
    };
  }),
  respondInstead("GEN-6", "rejects a time with fractions of a second", (request) =>
    isRequestTo(request, "sendEmail", "rescheduleEmail") &&
    /\.\d+(Z|[+-])/.test(textOf(objectOf(request.body).scheduled_at))
      ? errorResponse(422, "invalid_request", "scheduled_at")
      : undefined,
  ),
  respondInstead("ATT-13", "rejects a text of more than 64 KB", (request) =>
    isSend(request) && textOf(objectOf(request.body).text).length > 65_536
      ? errorResponse(413, "send_rejected")
      : undefined,
  ),
];
