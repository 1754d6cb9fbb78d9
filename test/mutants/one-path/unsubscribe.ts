import { authorizationOf, type Contact, lookupAt, withPast } from "../history.ts";
import type { Mutant, MutantRequest, RequirementId } from "../mutant.ts";
import { isSuccess, isUnsubscribe, type Json, membershipsOf, objectOf } from "../newsletter.ts";
import { isFromAll, isFromOne } from "../unsubscribe-support.ts";
import { contacts, memberships } from "./of-contacts.ts";

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

const ofPaths: Mutant[] = paths.flatMap(([path, which]) => [
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
const ofOthers: Mutant[] = [
  memberships(
    "UNSUB-5",
    "unsubscribing from one list clears the tags of the others",
    (one, { unsubscribes }) =>
      one.status !== "unsubscribed" && unsubscribes > 0 ? { ...one, tags: [] } : one,
  ),
  memberships(
    "MEMB-10",
    "unsubscribing from everything sets unsubscribed_at of the first list only",
    (one, { lists, leftAll }) =>
      leftAll && lists.size > 1 && [...lists.keys()][0] !== one.list_id
        ? { ...one, unsubscribed_at: null }
        : one,
  ),
];

const clear = (record: Json): Json => ({ ...record, marketing_blocked: false });

const ofBlocked: Mutant[] = [
  contacts(
    "UNSUB-2",
    "a contact that was pending is not blocked after leaving everything",
    ({ lists, leftAll }) => leftAll && [...lists.values()].some(({ joined }) => joined.status === "pending"),
    clear,
  ),
  contacts(
    "UNSUB-2",
    "a contact is not blocked for another key of the account",
    ({ leftAll, changedBy }, _, request) => leftAll && changedBy !== authorizationOf(request),
    clear,
  ),
  contacts(
    "UNSUB-2",
    "a second update clears marketing_blocked",
    ({ lists, leftAll }) => leftAll && [...lists.values()].some(({ posts }) => posts > 2),
    clear,
  ),
];

const ofResponses: Mutant[] = [
  withPast(
    "UNSUB-9",
    "the response to a second unsubscribe has no memberships",
    async (request, next, { history }) => {
      const { unsubscribes = 0 } = (isUnsubscribe(request) && history.contactOf(request)) || {};
      const response = await next(request);
      return unsubscribes > 0 && isSuccess(response) && membershipsOf(response).length > 0
        ? { ...response, body: { ...objectOf(response.body), lists: [] } }
        : response;
    },
  ),
];

/** Unsubscribes that go wrong only on some paths. */
export const unsubscribePathMutants: Mutant[] = [...ofPaths, ...ofOthers, ...ofBlocked, ...ofResponses];
