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

/** What is wrong with leaving everything. */
export const leavingEverythingMutants: Mutant[] = [
  changeContacts(
    "UNSUB-1",
    "leaving everything ends the first membership only",
    changed((one, index) => (index === 0 ? one : back(one))),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-1",
    "leaving everything ends no membership in its response",
    changed(back),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-1",
    "leaving everything leaves a membership that is yet to be confirmed",
    changed((one) => (one.list_id === 1 && one.subscribed_at === null ? { ...one, status: "pending" } : one)),
    isFromAll,
  ),
  afterLeaving(
    "UNSUB-1",
    "leaving everything ends no membership, which only a look-up shows",
    changedOnly(back),
  ),
  {
    requirement: "UNSUB-1",
    title: "leaving what was left before is answered 404",
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
    title: "leaving everything passes over a membership that is cleaned",
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
    "marketing_blocked is still false in the response to leaving everything",
    (record) => ({ ...record, marketing_blocked: false }),
    isFromAll,
  ),
  changeContacts(
    "UNSUB-2",
    "marketing_blocked shows in the response to leaving everything, and not when the contact is looked up",
    (record) => ({ ...record, marketing_blocked: false }),
    isContactLookup,
  ),
  afterLeaving("UNSUB-2", "a post lifts marketing_blocked", (record, posts) => ({
    ...record,
    marketing_blocked: posts === 0,
  })),
  {
    requirement: "UNSUB-3",
    title: "who left everything is skipped by transactional e-mail",
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
  refusesAfter("who left everything can be sent no transactional e-mail", isFromAll),
  refusesAfter("who left one list can be sent no transactional e-mail", isFromOne),
];

/** Sends to those who left are refused. */
function refusesAfter(title: string, applies: (request: MutantRequest) => boolean): Mutant {
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
