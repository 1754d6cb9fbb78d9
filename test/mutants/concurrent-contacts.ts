// Writes and lookups of a contact at the same time.

import { beside, race, remembersBeside } from "./concurrency.ts";
import { stateful } from "./email.ts";
import { contactPath, mapMemberships, together } from "./fault-support.ts";
import { authorizationOf, iso, lookupAt } from "./history.ts";
import type { Mutant, MutantRequest, MutantResponse } from "./mutant.ts";
import {
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  listOf,
  objectOf,
} from "./newsletter.ts";
import { withFields } from "./requests.ts";

const contactPathOf = (request: MutantRequest): string => contactPath(emailOf(request));

/** The name of writes of the same contact. */
const sameUpsert = (request: MutantRequest): string | undefined =>
  isUpsert(request) && emailOf(request) !== ""
    ? `${authorizationOf(request)} ${emailOf(request)} ${String(objectOf(request.body).list_id)}`
    : undefined;

const contactName = (request: MutantRequest): string => `${authorizationOf(request)} ${emailOf(request)}`;

export const concurrentContactMutants: Mutant[] = [
  race("ERR-13", "the second of two first writes of a contact at once ends in a 500", sameUpsert, () => {
    const seen = new Set<string>();
    return async (request, next, position) => {
      const name = sameUpsert(request) ?? "";
      if (position > 0 && !seen.has(name)) {
        seen.add(name);
        return errorResponse(500, "internal_error");
      }
      const response = await next(request);
      if (position === 0 && response.status === 200) seen.add(name);
      return response;
    };
  }),
  race(
    "CONT-16",
    "of two updates at once with different tags the tags of the second are lost",
    sameUpsert,
    () => async (request, next, position) => {
      const { tags } = objectOf(request.body);
      if (position === 0 || !Array.isArray(tags)) return next(request);
      const response = await next(withFields(request, { tags: undefined }));
      return mapMemberships(response, request, (membership) => ({
        ...membership,
        tags: [...new Set([...listOf(membership.tags), ...tags])],
      }));
    },
  ),
  race(
    "MEMB-16",
    "of two updates at once with different custom fields the second takes back those of the first",
    sameUpsert,
    () => {
      const before = new Map<string, Promise<MutantResponse>>();
      return async (request, next, position, first) => {
        const name = sameUpsert(request) ?? "";
        const { fields } = objectOf(request.body);
        if (position === 0) before.set(name, next(lookupAt(request, contactPathOf(request))));
        const old = listOf(objectOf((await before.get(name))?.body).lists).map(objectOf)[0];
        if (position === 0 || fields === undefined || old === undefined) return next(request);
        const written = objectOf(objectOf((await first).body).fields);
        const stale = Object.fromEntries(
          Object.keys(written).map((key) => [key, objectOf(old.fields)[key] ?? null]),
        );
        return next(withFields(request, { fields: { ...stale, ...objectOf(fields) } }));
      };
    },
  ),
  beside(
    "UNSUB-10",
    "an unsubscribe beside an update of the contact is reported, but lost",
    isUpsert,
    isUnsubscribe,
    contactName,
    async (request, next, { now }) => {
      const { list_id: list } = objectOf(request.body);
      const response = await next(lookupAt(request, contactPathOf(request)));
      if (!isSuccess(response)) return next(request);
      const left = mapMemberships(response, request, (membership) =>
        list === undefined || membership.list_id === list
          ? { ...membership, status: "unsubscribed", unsubscribed_at: iso(now()) }
          : membership,
      );
      return list === undefined ? withFields(left, { marketing_blocked: true }) : left;
    },
  ),
  stateful(
    "UNSUB-4",
    "of two unsubscribes at once from different lists the second one is lost",
    ({ now }) => {
      const at = together();
      return (request, next) => {
        const list = objectOf(request.body).list_id;
        if (!isUnsubscribe(request) || list === undefined) return next(request);
        return at(`${authorizationOf(request)} ${emailOf(request)}`, async (position) => {
          if (position === 0) return next(request);
          const response = await next(lookupAt(request, contactPathOf(request)));
          return mapMemberships(response, request, (membership) =>
            membership.list_id === list
              ? { ...membership, status: "unsubscribed", unsubscribed_at: iso(now()) }
              : membership,
          );
        });
      };
    },
  ),
  stateful("CONT-25", "a contact that is added to two lists at once is on one of them in lookups", () => {
    const at = together();
    const hidden = new Set<string>();
    return async (request, next) => {
      const who = `${authorizationOf(request)} ${emailOf(request)}`;
      if (isUpsert(request))
        return at(who, async (position) => {
          const response = await next(request);
          const membership = `${who} ${String(objectOf(request.body).list_id)}`;
          if (response.status === 201 && position > 0) hidden.add(membership);
          else hidden.delete(membership);
          return response;
        });
      const response = await next(request);
      if (!(isContactLookup(request) || isUnsubscribe(request)) || !isSuccess(response)) return response;
      const { lists } = objectOf(response.body);
      const shown = listOf(lists).filter((one) => !hidden.has(`${who} ${String(objectOf(one).list_id)}`));
      return withFields(response, { lists: shown });
    };
  }),
  remembersBeside(
    "CONT-23",
    "a lookup of a contact beside an update remembers the old contact for later ones",
    isUpsert,
    isContactLookup,
    contactName,
    (request) => lookupAt(request, contactPathOf(request)),
  ),
  remembersBeside(
    "CONT-23",
    "a lookup of a contact beside an unsubscribe remembers the old contact for later ones",
    isUnsubscribe,
    isContactLookup,
    contactName,
    (request) => lookupAt(request, contactPathOf(request)),
  ),
  beside(
    "CONT-25",
    "a contact that leaves a list while it is added to another one is not added",
    isUnsubscribe,
    isUpsert,
    contactName,
    async (request, next) => {
      const { list_id: list } = objectOf(request.body);
      const before = await next(lookupAt(request, contactPathOf(request)));
      const [first, ...others] = listOf(objectOf(before.body).lists).map(objectOf);
      return first === undefined || [first, ...others].some((one) => one.list_id === list)
        ? next(request)
        : { ...before, status: 201, body: { ...first, list_id: list } };
    },
  ),
  beside(
    "MEMB-8",
    "a contact that is looked up while it is updated has no tags",
    isUpsert,
    isContactLookup,
    contactName,
    async (request, next) =>
      mapMemberships(await next(request), request, (membership) => ({ ...membership, tags: [] })),
  ),
  beside(
    "CONT-23",
    "a contact cannot be found while one of its lists is left",
    isUnsubscribe,
    isContactLookup,
    contactName,
    () => errorResponse(404, "not_found"),
  ),
  race(
    "CONT-2",
    "of two first writes of a contact at once the details of the second are lost",
    sameUpsert,
    () => async (request, next, position, first) => {
      const isAdded = position > 0 && (await first).status === 201;
      return next(
        isAdded
          ? withFields(request, { first_name: undefined, tags: undefined, fields: undefined })
          : request,
      );
    },
  ),
];
