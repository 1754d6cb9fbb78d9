import { isMessageLookup, isScheduled, stateful } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { isSuccess, objectOf } from "./newsletter.ts";

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
