import type { Mutant, MutantRequest } from "./mutant.ts";
import {
  changeContacts,
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  objectOf,
} from "./newsletter.ts";
import { afterLeaving, back, changed, changedOnly, isFromAll, isFromOne } from "./unsubscribe-support.ts";

/** Unsubscribing from everything. */
export const leavingEverythingMutants: Mutant[] = [
  changeContacts(
    "UNSUB-1",
    "unsubscribing from everything ends only the first membership",
    changed((one, index) => (index === 0 ? one : back(one))),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-1",
    "the response to unsubscribing from everything shows active memberships",
    changed(back),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-1",
    "unsubscribing from everything keeps a pending membership",
    changed((one) => (one.list_id === 1 && one.subscribed_at === null ? { ...one, status: "pending" } : one)),
    isFromAll,
  ),
  afterLeaving(
    "UNSUB-1",
    "unsubscribing from everything ends no membership, shown only by a lookup",
    changedOnly(back),
  ),
  {
    requirement: "UNSUB-1",
    title: "unsubscribing twice returns 404",
    intercept: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (!isUnsubscribe(request)) return next(request);
        const isAgain = left.has(emailOf(request));
        left.add(emailOf(request));
        return isAgain ? errorResponse(404, "not_found") : next(request);
      };
    },
  },
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
  changeContacts("UNSUB-2", "marketing_blocked is always false", (record) => ({
    ...record,
    marketing_blocked: false,
  })),
  changeContacts(
    "UNSUB-2",
    "marketing_blocked is false in the response to unsubscribing from everything",
    (record) => ({ ...record, marketing_blocked: false }),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-2",
    "marketing_blocked is true only in the response to unsubscribing from everything",
    (record) => ({ ...record, marketing_blocked: false }),
    isContactLookup,
  ),
  afterLeaving("UNSUB-2", "an upsert clears marketing_blocked", (record, posts) => ({
    ...record,
    marketing_blocked: posts === 0,
  })),
  {
    requirement: "UNSUB-3",
    title: "a contact unsubscribed from everything is skipped by transactional email",
    intercept: () => {
      const left = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (isFromAll(request)) left.add(emailOf(request));
        if (request.path !== "/api/v1/emails" || !isSuccess(response)) return response;
        const { to, suppressed, ...rest } = objectOf(response.body);
        const all = Array.isArray(to) ? to.map(String) : [];
        const skipped = all.filter((address) => left.has(address));
        if (skipped.length === 0) return response;
        const kept = all.filter((address) => !left.has(address));
        return {
          ...response,
          body: { ...rest, to: kept, suppressed: [...(suppressed as string[]), ...skipped] },
        };
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
