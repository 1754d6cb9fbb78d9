import { authorizationOf, type Contact, lookupAt, withPast } from "./history.ts";
import type { Mutant, MutantRequest, RequirementId } from "./mutant.ts";
import {
  changeContacts,
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { contacts, memberships } from "./past.ts";
import { withFields } from "./requests.ts";

export const isFromAll = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && !("list_id" in objectOf(request.body));
export const isFromOne = (request: MutantRequest): boolean =>
  isUnsubscribe(request) && "list_id" in objectOf(request.body);
/** The membership before the unsubscribe. */
const back = (one: Json): Json => ({ ...one, status: "subscribed", unsubscribed_at: null });

/** Changes the memberships in contact records. */
const changed =
  (change: (one: Json, index: number, request: MutantRequest) => Json) =>
  (record: Json, request: MutantRequest): Json => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one, index) => change(one, index, request)),
  });

/** Responses to unsubscribes, and what follows. */
export const unsubscribeMutants: Mutant[] = [
  changeContacts(
    "UNSUB-9",
    "an unsubscribe from one list returns its membership",
    (record) => membershipsOf({ body: record })[0],
    isFromOne,
  ),
  {
    requirement: "UNSUB-10",
    title: "an upsert reverts unsubscribing from everything",
    intercept: () => {
      const left = new Set<string>();
      const reverted = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (isFromAll(request)) left.add(emailOf(request));
        if (isUpsert(request) && left.has(emailOf(request))) reverted.add(emailOf(request));
        if (!isContactLookup(request) || !isSuccess(response) || !reverted.has(emailOf(request)))
          return response;
        const record = changed(back)(objectOf(response.body), request);
        return { ...response, body: { ...record, marketing_blocked: false } };
      };
    },
  },
  {
    requirement: "UNSUB-10",
    title: "unsubscribing from a second list reverts the first",
    intercept: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const response = await next(request);
        if (isFromOne(request)) last.set(emailOf(request), objectOf(request.body).list_id);
        const list = last.get(emailOf(request));
        if (!isContactLookup(request) || list === undefined || !isSuccess(response)) return response;
        return {
          ...response,
          body: changed((one) => (one.list_id === list ? one : back(one)))(objectOf(response.body), request),
        };
      };
    },
  },
  {
    requirement: "UNSUB-12",
    title: "unsubscribing from a list of another account returns 404, but unsubscribes from everything",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (isFromOne(request) && objectOf(request.body).list_id === 11) await next({ ...request, body: {} });
      return response;
    },
  },
];

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

/** Unsubscribing from one list. */
export const leavingOneMutants: Mutant[] = [
  changeContacts(
    "UNSUB-4",
    "unsubscribing after a complaint keeps the membership complained",
    changed((one, _, request) =>
      emailOf(request).startsWith("complained@") ? { ...one, status: "complained" } : one,
    ),
    isFromOne,
  ),
  changeContacts(
    "UNSUB-5",
    "unsubscribing from one list sets unsubscribed_at of the other",
    (record, request) => {
      const at = membershipsOf({ body: record }).find(({ unsubscribed_at }) => unsubscribed_at !== null);
      return changed((one) => ({ ...one, unsubscribed_at: at?.unsubscribed_at ?? null }))(record, request);
    },
    isFromOne,
  ),
];

type Which = (request: MutantRequest, contact: Contact) => boolean;

/** Responds to some unsubscribes with the contact as it is, without a change. */
const ignored = (requirement: RequirementId, title: string, which: Which): Mutant =>
  withPast(requirement, title, (request, next, { history }) => {
    const contact = isUnsubscribe(request) ? history.contactOf(request) : undefined;
    return contact !== undefined && which(request, contact)
      ? next(lookupAt(request, request.path.replace(/\/unsubscribe$/, "")))
      : next(request);
  });
const byOtherKey: Which = (request, { changedBy }) => changedBy !== authorizationOf(request);
const hasUpdates = ({ lists }: Contact): boolean => [...lists.values()].some(({ posts }) => posts > 1);
const isMember = (request: MutantRequest, { lists }: Contact): boolean =>
  lists.has(objectOf(request.body).list_id);

const paths: [string, Which][] = [
  ["by another key of the account", byOtherKey],
  ["after an update", (_, contact) => hasUpdates(contact)],
];

export const ofPaths: Mutant[] = paths.flatMap(([path, which]) => [
  ignored(
    "UNSUB-4",
    `unsubscribing from one list ${path} has no effect`,
    (request, contact) => isFromOne(request) && isMember(request, contact) && which(request, contact),
  ),
  ignored(
    "UNSUB-1",
    `unsubscribing from everything ${path} has no effect`,
    (request, contact) => isFromAll(request) && which(request, contact),
  ),
]);

/** After unsubscribes, memberships of other lists change. */
export const ofOthers: Mutant[] = [
  memberships(
    "UNSUB-5",
    "unsubscribing from one list clears the tags of the others",
    (one, { unsubscribes }) =>
      one.status !== "unsubscribed" && unsubscribes > 0 ? { ...one, tags: [] } : one,
  ),
];

const clear = (record: Json): Json => ({ ...record, marketing_blocked: false });

export const ofBlocked: Mutant[] = [
  contacts(
    "UNSUB-2",
    "a contact that was pending is not blocked after leaving everything",
    ({ lists, leftAll }) => leftAll && [...lists.values()].some(({ joined }) => joined.status === "pending"),
    clear,
  ),
  contacts(
    "UNSUB-2",
    "a second update clears marketing_blocked",
    ({ lists, leftAll }) => leftAll && [...lists.values()].some(({ posts }) => posts > 2),
    clear,
  ),
];

export const ofResponses: Mutant[] = [
  withPast(
    "UNSUB-9",
    "the response to a second unsubscribe has no memberships",
    async (request, next, { history }) => {
      const { unsubscribes = 0 } = (isUnsubscribe(request) && history.contactOf(request)) || {};
      const response = await next(request);
      return unsubscribes > 0 && isSuccess(response) && membershipsOf(response).length > 0
        ? withFields(response, { lists: [] })
        : response;
    },
  ),
];

/** Posts that put a contact back on a list that it left. */
const resubscribes = (
  title: string,
  which: (body: Json, contact: Contact, request: MutantRequest) => boolean,
): Mutant =>
  withPast("MEMB-17", title, async (request, next, { history }) => {
    const contact =
      isUpsert(request) && history.memberOf(request)?.left ? history.contactOf(request) : undefined;
    const affected = contact !== undefined && which(objectOf(request.body), contact, request);
    const response = await next(request);
    return affected && isSuccess(response)
      ? withFields(response, { status: "subscribed", unsubscribed_at: null })
      : response;
  });

export const ofReturns: Mutant[] = [
  resubscribes(
    "the second post after an unsubscribe subscribes again",
    ({ list_id: list }, { lists }) => (lists.get(list)?.posts ?? 0) > 1,
  ),
  resubscribes(
    "a post by another key of the account subscribes again",
    (_, { changedBy }, request) => changedBy !== authorizationOf(request),
  ),
  resubscribes("a post with tags subscribes again", (body) => listOf(body.tags).length > 0),
];
