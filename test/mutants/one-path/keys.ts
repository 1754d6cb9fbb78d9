import { isCancel, isMessageLookup, isReschedule } from "../email.ts";
import type { Applies, Mutant, MutantRequest, RequirementId } from "../mutant.ts";
import {
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  objectOf,
} from "../newsletter.ts";
import { isRequestTo, withHeaders, withKey } from "../requests.ts";
import { authorizationOf, type History, lookupAt, type Message, minute, withPast } from "./history.ts";
import { both, hasCopies, isMoved } from "./of-messages.ts";

/** Shows other keys of an account a message or contact as it was before its last change. */
const staleFor = (requirement: RequirementId, title: string, changes: Applies, reads: Applies): Mutant => {
  const known = new WeakMap<History, Map<string, { by: string; body: unknown }>>();
  return withPast(requirement, title, async (request, next, { history }) => {
    const before = known.get(history) ?? new Map<string, { by: string; body: unknown }>();
    known.set(history, before);
    const subject = `${history.accountOf(request)} ${/\/contacts/.test(request.path) ? emailOf(request) : request.path}`;
    if (changes(request)) {
      const isContact = isUpsert(request) || isUnsubscribe(request);
      const path = isContact
        ? `/api/v1/newsletter/contacts/${encodeURIComponent(emailOf(request))}`
        : request.path;
      const found = await next(lookupAt(request, path));
      const response = await next(request);
      if (isSuccess(found) && isSuccess(response))
        before.set(subject, { by: authorizationOf(request), body: found.body });
      return response;
    }
    const response = await next(request);
    const old = before.get(subject);
    return reads(request) && isSuccess(response) && old && old.by !== authorizationOf(request)
      ? { ...response, body: old.body }
      : response;
  });
};

const ofStaleReads: Mutant[] = [
  staleFor(
    "SCHED-9",
    "another key of the account reads a message as before it was moved",
    isReschedule,
    isMessageLookup,
  ),
  staleFor(
    "SCHED-13",
    "another key of the account reads a message as before it was canceled",
    isCancel,
    isMessageLookup,
  ),
  staleFor(
    "MEMB-16",
    "another key of the account reads a contact as before its last post",
    isUpsert,
    isContactLookup,
  ),
  staleFor(
    "UNSUB-1",
    "another key of the account reads a contact as before it unsubscribed",
    isUnsubscribe,
    isContactLookup,
  ),
];

/** Treats some messages of the first account as those of another one. */
const reachable = (
  title: string,
  applies: Applies,
  which: (message: Message, request: MutantRequest) => boolean,
): Mutant =>
  withPast("AUTH-2", title, async (request, next, { history, context }) => {
    const message = history.messageOf(request);
    const response = await next(request);
    return applies(request) && response.status === 404 && message && which(message, request)
      ? next(withKey(request, context.bearer("full")))
      : response;
  });

const isCanceled = ({ canceled }: Message): boolean => canceled;
const isPending = (message: Message): boolean => !message.canceled;

const ofOtherAccounts: Mutant[] = [
  reachable("another account finds a canceled message", isMessageLookup, isCanceled),
  reachable("another account finds a moved message", isMessageLookup, isMoved),
  reachable("another account finds a message with copies", isMessageLookup, hasCopies),
  reachable("another account can cancel a moved message", isCancel, both(isMoved, isPending)),
  reachable("another account can reschedule a moved message", isReschedule, both(isMoved, isPending)),
  reachable(
    "another account can cancel a scheduled message with copies",
    isCancel,
    both(hasCopies, isPending),
  ),
  ...(
    [
      ["canceling", isCancel, "not_cancellable"],
      ["rescheduling", isReschedule, "not_reschedulable"],
    ] as const
  ).map(([what, applies, type]) =>
    withPast(
      "AUTH-2",
      `${what} another account's canceled message returns 409`,
      async (request, next, { history }) => {
        const message = history.messageOf(request);
        const response = await next(request);
        return applies(request) && response.status === 404 && message?.canceled
          ? errorResponse(409, type)
          : response;
      },
    ),
  ),
];

/** Finds contacts of the first account in some states for other accounts. */
const sees = (title: string, which: (record: Json) => boolean): Mutant =>
  withPast("AUTH-2", title, async (request, next, { context }) => {
    const response = await next(request);
    if (!isContactLookup(request) || response.status !== 404) return response;
    const found = await next(withKey(request, context.bearer("full")));
    return isSuccess(found) && which(objectOf(found.body)) ? found : response;
  });

const hasStatus =
  (status: string) =>
  ({ lists }: Json): boolean =>
    JSON.stringify(lists).includes(`"status":"${status}"`);

const ofOtherContacts: Mutant[] = [
  sees("another account finds a pending contact", hasStatus("pending")),
  sees("another account finds a contact that unsubscribed", hasStatus("unsubscribed")),
  sees("another account finds a contact with tags", ({ lists }) => /"tags":\["/.test(JSON.stringify(lists))),
];

/** Requests that do not use up the rate limit. */
const uncounted = (what: string, applies: Applies): Mutant => {
  const known = new WeakMap<History, { account: string; at: number }[]>();
  return withPast(
    "LIMIT-3",
    `${what} do not use up the rate limit`,
    async (request, next, { history, context }) => {
      const free = (known.get(history) ?? []).filter(({ at }) => at > context.now() - minute);
      const response = await next(request);
      const account = history.accountOf(request);
      if (applies(request) && isSuccess(response)) free.push({ account, at: context.now() });
      known.set(history, free);
      const { "x-ratelimit-remaining": told, "x-ratelimit-limit": limit } = response.headers;
      const more = free.filter((one) => one.account === account).length;
      return told === undefined
        ? response
        : withHeaders(response, {
            "x-ratelimit-remaining": String(Math.min(Number(told) + more, Number(limit))),
          });
    },
  );
};

const ofLimits: Mutant[] = [
  uncounted("reschedules", isReschedule),
  uncounted("cancellations", isCancel),
  uncounted("unsubscribes", isUnsubscribe),
  uncounted("contact lookups", isContactLookup),
  uncounted("requests for custom fields", (request) => isRequestTo(request, "listCustomFields")),
];

/** Keys and accounts that are mistaken only on some paths. */
export const keyPathMutants: Mutant[] = [
  ...ofStaleReads,
  ...ofOtherAccounts,
  ...ofOtherContacts,
  ...ofLimits,
];
