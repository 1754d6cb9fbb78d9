// What holds for the second write or lookup of a contact, but not for the third or tenth.

import { isObject } from "../../lib/objects.ts";
import { stateful } from "./email.ts";
import { mapMemberships, timeOf, withBody } from "./fault-support.ts";
import { authorizationOf, iso } from "./history.ts";
import { type Mutant, type MutantRequest, type RequirementId, remembers } from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
} from "./newsletter.ts";
import { counter } from "./repetition.ts";
import { isReplay } from "./same-key.ts";

/** A membership that was unsubscribed, as if it were not. */
const subscribedAgain = (membership: Json): Json => ({
  ...membership,
  status: "subscribed",
  unsubscribed_at: null,
  subscribed_at: membership.subscribed_at ?? membership.unsubscribed_at,
});

const contactName = (request: MutantRequest): string => `${authorizationOf(request)} ${emailOf(request)}`;

const membershipName = (request: MutantRequest): string =>
  `${contactName(request)} ${String(objectOf(request.body).list_id)}`;

/** Memberships after a number of writes of one contact. */
const afterWrites = (
  requirement: RequirementId,
  title: string,
  nth: number,
  change: (request: MutantRequest) => MutantRequest,
): Mutant =>
  stateful(requirement, title, () => {
    const count = counter();
    return (request, next) =>
      next(isUpsert(request) && count(membershipName(request)) >= nth ? change(request) : request);
  });

export const repeatedContactMutants: Mutant[] = [
  // Source: from experience (the tags of the last two versions are merged)
  stateful("CONT-16", "the third write of a contact with tags removes the tags of the first", () => {
    const writes = new Map<string, unknown[][]>();
    return async (request, next) => {
      const { tags } = objectOf(request.body);
      const response = await next(request);
      if (isUpsert(request) && isSuccess(response) && Array.isArray(tags) && !isReplay(response))
        writes.set(contactName(request), [...(writes.get(contactName(request)) ?? []), tags]);
      const all = writes.get(contactName(request)) ?? [];
      if (all.length < 3) return response;
      const kept = new Set(all.slice(-2).flat());
      const lost = new Set(
        all
          .slice(0, -2)
          .flat()
          .filter((tag) => !kept.has(tag)),
      );
      return mapMemberships(response, request, (membership) => ({
        ...membership,
        tags: listOf(membership.tags).filter((tag) => !lost.has(tag)),
      }));
    };
  }),
  // Source: from experience (the cache of known members)
  remembers("CONT-2", "the fifth write of a contact returns 201 again", () => {
    const count = counter();
    return (response, request) =>
      isUpsert(request) && isSuccess(response) && !isReplay(response) && count(membershipName(request)) === 5
        ? { ...response, status: 201 }
        : response;
  }),
  // Source: from experience (an empty name in the form clears it)
  afterWrites("MEMB-16", "from the third write on, a name that is left out is cleared", 3, (request) =>
    withBody(request, (body) => ("first_name" in body ? body : { ...body, first_name: "" })),
  ),
  // Source: knadh/listmonk#325 (attributes are replaced or ignored)
  stateful("MEMB-7", "from the third write on, custom fields that are left out are cleared", () => {
    const count = counter();
    const known = new Map<string, Record<string, unknown>>();
    return (request, next) => {
      if (!isUpsert(request)) return next(request);
      const name = contactName(request);
      const { fields } = objectOf(request.body);
      const before = known.get(name) ?? {};
      known.set(name, { ...before, ...objectOf(fields) });
      if (count(name) < 3 || !isObject(fields) || Object.keys(fields).length === 0) return next(request);
      const cleared = Object.fromEntries(Object.keys(before).map((key) => [key, null]));
      return next(withBody(request, (body) => ({ ...body, fields: { ...cleared, ...fields } })));
    };
  }),
  // Source: from experience (a value is marked as cleared, and the mark is lost)
  stateful("CONT-13", "a write without a custom field that was cleared brings its value back", () => {
    const values = new Map<string, Json>();
    return (request, next) => {
      if (!isUpsert(request) || !isObject(objectOf(request.body).fields ?? {})) return next(request);
      const name = contactName(request);
      const before = values.get(name) ?? {};
      const given = objectOf(objectOf(request.body).fields);
      const written = Object.entries(given).filter(([, value]) => value !== null);
      values.set(name, { ...before, ...Object.fromEntries(written) });
      return next(withBody(request, (body) => ({ ...body, fields: { ...before, ...given } })));
    };
  }),
  // Source: from experience (null is remembered as done)
  stateful("CONT-13", "a custom field can be cleared once: the second null leaves its value", () => {
    const count = counter();
    return (request, next) => {
      const { fields } = objectOf(request.body);
      if (!isUpsert(request) || !isObject(fields)) return next(request);
      const kept = Object.entries(fields).filter(
        ([key, value]) => value !== null || count(`${contactName(request)} ${key}`) === 1,
      );
      return next(withBody(request, (body) => ({ ...body, fields: Object.fromEntries(kept) })));
    };
  }),
  // Source: from experience (a switch instead of a setting)
  // Source: from experience (a cached contact is written back)
  remembers("UNSUB-10", "the unsubscribe from a third list is reported, but lost", () => {
    const left = new Map<string, Set<unknown>>();
    return (response, request) => {
      const name = contactName(request);
      const lists = left.get(name) ?? new Set();
      const list = objectOf(request.body).list_id;
      if (isUnsubscribe(request) && isSuccess(response)) left.set(name, lists.add(list));
      const third = lists.has(undefined) ? undefined : [...lists][2];
      return isContactLookup(request) && third !== undefined
        ? mapMemberships(response, request, (membership) =>
            membership.list_id === third ? subscribedAgain(membership) : membership,
          )
        : response;
    };
  }),
  remembers("MEMB-10", "a second unsubscribe from a list moves the time, but its response does not", () => {
    const count = counter();
    const moved = new Set<string>();
    return (response, request) => {
      const name = (list: unknown) => `${contactName(request)} ${String(list)}`;
      const list = objectOf(request.body).list_id;
      if (isUnsubscribe(request) && list !== undefined && isSuccess(response) && count(name(list)) === 2)
        moved.add(name(list));
      return isContactLookup(request)
        ? mapMemberships(response, request, (membership) =>
            moved.has(name(membership.list_id))
              ? { ...membership, unsubscribed_at: iso(timeOf(membership.unsubscribed_at) + 1000) }
              : membership,
          )
        : response;
    };
  }),
  remembers("UNSUB-10", "a second unsubscribe from the same list subscribes again", () => {
    const left = new Map<string, number>();
    return (response, request) => {
      const list = objectOf(request.body).list_id;
      const name = `${contactName(request)} ${String(list)}`;
      if (isUnsubscribe(request) && list !== undefined && isSuccess(response))
        left.set(name, (left.get(name) ?? 0) + 1);
      if (isUnsubscribe(request) && list === undefined) left.clear();
      return mapMemberships(response, request, (membership) =>
        (left.get(`${contactName(request)} ${String(membership.list_id)}`) ?? 0) % 2 === 0 &&
        left.has(`${contactName(request)} ${String(membership.list_id)}`)
          ? subscribedAgain(membership)
          : membership,
      );
    };
  }),
  // Source: mailchimp/mc-magento2#696 (subscribed again after an unsubscribe)
  remembers("MEMB-17", "the third post of a contact who unsubscribed subscribes it", () => {
    const count = counter();
    const back = new Set<string>();
    return (response, request) => {
      const name = membershipName(request);
      const body = objectOf(response.body);
      if (isUpsert(request) && response.status === 200 && body.status === "unsubscribed" && count(name) === 3)
        back.add(name);
      return mapMemberships(response, request, (membership) =>
        back.has(`${contactName(request)} ${String(membership.list_id)}`) &&
        membership.status === "unsubscribed"
          ? subscribedAgain(membership)
          : membership,
      );
    };
  }),
  // Source: knadh/listmonk#2987 (a confirmed subscriber becomes unconfirmed)
  remembers("MEMB-16", "the second post of a confirmed contact makes it pending", () => {
    const count = counter();
    const pending = new Set<string>();
    return (response, request) => {
      const name = membershipName(request);
      if (isUpsert(request) && response.status === 200 && objectOf(request.body).list_id === 1)
        if (objectOf(response.body).status === "subscribed" && count(name) === 2) pending.add(name);
      return mapMemberships(response, request, (membership) =>
        pending.has(`${contactName(request)} ${String(membership.list_id)}`) &&
        membership.status === "subscribed"
          ? { ...membership, status: "pending", subscribed_at: null }
          : membership,
      );
    };
  }),
  // Source: from experience (a cache that the other writer does not clear)
  remembers(
    "CONT-23",
    "from its second lookup on, a contact is read from a cache that an unsubscribe does not clear",
    () => {
      const cached = new Map<string, unknown>();
      return (response, request) => {
        const name = contactName(request);
        if (isUpsert(request)) cached.delete(name);
        if (!isContactLookup(request) || !isSuccess(response)) return response;
        const before = cached.get(name);
        if (before !== undefined) return { ...response, body: before };
        cached.set(name, response.body);
        return response;
      };
    },
  ),
  // Source: from experience (a cache that one of the writers does not clear)
  remembers("MEMB-16", "a contact is read from a cache that only the first update clears", () => {
    const cached = new Map<string, unknown>();
    const count = counter();
    return (response, request) => {
      const name = contactName(request);
      if (isUpsert(request) && count(name) < 3) cached.delete(name);
      if (isUnsubscribe(request)) cached.delete(name);
      if (!isContactLookup(request) || !isSuccess(response)) return response;
      if (!cached.has(name)) cached.set(name, response.body);
      return { ...response, body: cached.get(name) };
    };
  }),
];
