import type { Mutant, MutantRequest } from "./mutant.ts";
import { changeContacts, emailOf, errorResponse, isSuccess, objectOf } from "./newsletter.ts";
import { back, changed, isFromAll, isFromOne } from "./unsubscribe-support.ts";

/** Unsubscribing from everything. */
export const leavingEverythingMutants: Mutant[] = [
  changeContacts(
    "UNSUB-1",
    "unsubscribing from everything ends only the first membership",
    changed((one, index) => (index === 0 ? one : back(one))),
    isFromAll,
  ),
  {
    requirement: "UNSUB-1",
    title: "unsubscribing from everything keeps a cleaned membership",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (!isFromAll(request) || !emailOf(request).startsWith("cleaned@") || !isSuccess(response))
        return response;
      return {
        ...response,
        body: changed((one) => ({ ...one, status: "cleaned" }))(objectOf(response.body), request),
      };
    },
  },
  rejectsAfter("a transactional email to a contact unsubscribed from everything is rejected", isFromAll),
  rejectsAfter("a transactional email to a contact unsubscribed from one list is rejected", isFromOne),
];

/** Rejects sends to unsubscribed contacts. */
function rejectsAfter(title: string, applies: (request: MutantRequest) => boolean): Mutant {
  return {
    requirement: "UNSUB-3",
    title,
    intercept: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (applies(request)) left.add(emailOf(request));
        const { to } = objectOf(request.body);
        const isStopped = request.path === "/api/v1/emails" && Array.isArray(to) && left.has(String(to[0]));
        return isStopped ? errorResponse(422, "send_rejected") : next(request);
      };
    },
  };
}
