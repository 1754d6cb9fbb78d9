import type { Store } from "../../domain/store.ts";
import { findContact, pageContacts } from "./contacts.ts";
import { forget } from "./forget.ts";
import type { MethodParts } from "./message-methods.ts";
import { usedQuota } from "./quota.ts";

type RecordMethods = Pick<
  Store,
  | ("changeSetting" | "countRequest" | "recall" | "suppress" | "unsuppress" | "suppressions" | "used")
  | ("contact" | "contacts" | "loggedRequest" | "loggedRequests" | "forget")
>;

export function recordMethods({ database, on, changing }: MethodParts): RecordMethods {
  return {
    changeSetting: (name, change) => on((epoch) => epoch.changeSetting(name, change)),
    countRequest: (accountId, now, limit) => on(({ rates }) => rates.add({ accountId, now, limit })),
    recall: (idempotency, now) => on(({ recalls }) => recalls.add({ idempotency, now })),
    suppress: (account, address, reason, at) =>
      changing(({ suppressions }) => suppressions.add({ account, address, reason, at })),
    unsuppress: (account, address) => changing(({ suppressions }) => suppressions.remove(account, address)),
    suppressions: (account) => on(({ suppressions }) => suppressions.list(account)),
    used: (accountId, now) => on(({ number }) => usedQuota(database, number, { accountId, now })),
    contact: (accountId, email) => on(({ number }) => findContact(database, number, [accountId, email])),
    contacts: (query) => on(({ number }) => pageContacts(database, number, query)),
    loggedRequest: (requestId) => on(({ log }) => log.find(requestId)),
    loggedRequests: (page) => on(({ log }) => log.list(page)),
    forget: (now) => on(({ number }) => forget(database, number, now)),
  };
}
