import {
  changeSendResponses,
  idOf,
  isMessageLookup,
  isScheduled,
  isSend,
  isSuppressed,
  stateful,
} from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { errorResponse, isSuccess, objectOf } from "./newsletter.ts";

/** Responses to sends. */
export const sendResponseMutants: Mutant[] = [
  stateful("SEND-1", "loses an accepted message", () => {
    const forgotten = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && forgotten.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isSend(request) && isSuccess(response)) forgotten.add(objectOf(response.body).id);
      return response;
    };
  }),
  changeSendResponses("SEND-33", "to in the response has only the first recipient", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  changeSendResponses("SEND-34", "suppressed in the response omits recent suppressions", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => !isSuppressed(one))],
    suppressed: (body.suppressed as unknown[]).filter(isSuppressed),
  })),
];

/** Responses to sends that are valid as the variant for another request. */
export const responseVariantMutants: Mutant[] = [
  stateful("SCHED-3", "the id of a scheduled message has no prefix, and its response has a to", () => {
    const late = "/api/v1/emails/late_";
    return async (request, next) => {
      const isLate = request.path.startsWith(late);
      const response = await next(
        isLate ? { ...request, path: request.path.replace("/late_", "/sched_") } : request,
      );
      const applies = isScheduled(request) || (isLate && isMessageLookup(request));
      if (!applies || !isSuccess(response)) return response;
      const body = objectOf(response.body);
      const to = isLate ? body.to : objectOf(request.body).to;
      return { ...response, body: { ...body, to, id: String(body.id).replace("sched_", "late_") } };
    };
  }),
];
