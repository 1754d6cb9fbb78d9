import type { Fault, FaultRequest } from "./fault.ts";
import { afterLeaving, back, changed, changedOnly, isFromAll, isFromOne } from "./leaving.ts";
import { addressIn, inRecords, isGood, isLeaving, isLookUp, objectOf, refusal } from "./newsletter.ts";

/** What is wrong with leaving everything. */
export const leavingEverythingFaults: Fault[] = [
  inRecords(
    "UNSUB-1",
    "leaving everything ends the first membership only",
    changed((one, index) => (index === 0 ? one : back(one))),
    isFromAll,
  ),
  inRecords("UNSUB-1", "leaving everything ends no membership in its answer", changed(back), isFromAll),
  inRecords(
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
    breaks: "UNSUB-1",
    title: "leaving what was left before is answered 404",
    between: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (!isLeaving(request)) return next(request);
        const isAgain = left.has(addressIn(request));
        left.add(addressIn(request));
        return isAgain ? refusal(404, "not_found") : next(request);
      };
    },
  },
  {
    breaks: "UNSUB-1",
    title: "leaving everything passes over a membership that is cleaned",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (!isFromAll(request) || !addressIn(request).startsWith("cleaned@") || !isGood(answer)) return answer;
      return {
        ...answer,
        body: changed((one) => ({ ...one, status: "cleaned" }))(objectOf(answer.body), request),
      };
    },
  },
  inRecords("UNSUB-2", "marketing_blocked is always false", (record) => ({
    ...record,
    marketing_blocked: false,
  })),
  inRecords(
    "UNSUB-2",
    "marketing_blocked is still false in the answer to leaving everything",
    (record) => ({ ...record, marketing_blocked: false }),
    isFromAll,
  ),
  inRecords(
    "UNSUB-2",
    "marketing_blocked shows in the answer to leaving everything, and not when the contact is looked up",
    (record) => ({ ...record, marketing_blocked: false }),
    isLookUp,
  ),
  afterLeaving("UNSUB-2", "a post lifts marketing_blocked", (record, posts) => ({
    ...record,
    marketing_blocked: posts === 0,
  })),
  {
    breaks: "UNSUB-3",
    title: "who left everything is skipped by transactional e-mail",
    between: () => {
      const left = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (isFromAll(request)) left.add(addressIn(request));
        if (request.path !== "/api/v1/emails" || !isGood(answer)) return answer;
        const { to, suppressed, ...rest } = objectOf(answer.body);
        const all = Array.isArray(to) ? to.map(String) : [];
        const skipped = all.filter((address) => left.has(address));
        if (skipped.length === 0) return answer;
        const kept = all.filter((address) => !left.has(address));
        return {
          ...answer,
          body: { ...rest, to: kept, suppressed: [...(suppressed as string[]), ...skipped] },
        };
      };
    },
  },
  refusesAfter("who left everything can be sent no transactional e-mail", isFromAll),
  refusesAfter("who left one list can be sent no transactional e-mail", isFromOne),
];

/** Sends to those who left are refused. */
function refusesAfter(title: string, isMeant: (request: FaultRequest) => boolean): Fault {
  return {
    breaks: "UNSUB-3",
    title,
    between: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (isMeant(request)) left.add(addressIn(request));
        const { to } = objectOf(request.body);
        const isStopped = request.path === "/api/v1/emails" && Array.isArray(to) && left.has(String(to[0]));
        return isStopped ? refusal(422, "send_rejected") : next(request);
      };
    },
  };
}
