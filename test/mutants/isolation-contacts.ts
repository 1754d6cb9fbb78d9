import { stateful } from "./email.ts";
import type { Interceptor, Mutant } from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { hasKeyOf, withKey } from "./requests.ts";

/** Changes responses about a contact that both accounts have. */
const shared = (
  title: string,
  change: (one: Json, other: Json) => Json,
  { side = "otherAccount" as "full" | "otherAccount" } = {},
): Mutant =>
  stateful("AUTH-2", title, ({ bearer }): Interceptor => {
    const known = { full: new Map<string, Json>(), otherAccount: new Map<string, Json>() };
    return async (request, next) => {
      const response = await next(request);
      const role = (["full", "otherAccount"] as const).find(
        (one) => bearer(one) === request.headers.authorization,
      );
      if (role === undefined || !isSuccess(response)) return response;
      const email = emailOf(request);
      if (isUpsert(request)) known[role].set(email, objectOf(response.body));
      const other = known[role === "full" ? "otherAccount" : "full"].get(email);
      if (other === undefined || role !== side) return response;
      if (isUpsert(request)) return { ...response, body: change(objectOf(response.body), other) };
      if (!isContactLookup(request) && !isUnsubscribe(request)) return response;
      const lists = membershipsOf(response).map((one) => change(one, other));
      return { ...response, body: { ...objectOf(response.body), lists } };
    };
  });

const ofContacts: Mutant[] = [
  shared("another account sees the last name that the first gave a contact", (one, other) => ({
    ...one,
    last_name: one.last_name ?? other.last_name,
  })),
  ...(["full"] as const).flatMap((side) => {
    const whose = side === "full" ? "the first account sees" : "another account sees";
    return [
      shared(
        `${whose} the tags that the other gave a contact`,
        (one, other) => ({ ...one, tags: [...new Set([...listOf(one.tags), ...listOf(other.tags)])] }),
        { side },
      ),
    ];
  }),
];

const alsoIn = (title: string, from: "full" | "otherAccount", to: "full" | "otherAccount"): Mutant =>
  stateful("AUTH-2", title, ({ bearer }) => async (request, next) => {
    const response = await next(request);
    const applies = isUnsubscribe(request) && isSuccess(response);
    if (applies && request.headers.authorization === bearer(from))
      await next({ ...withKey(request, bearer(to)), body: {} });
    return response;
  });

const ofMemberships: Mutant[] = [
  alsoIn("unsubscribing from the first account unsubscribes from the others", "full", "otherAccount"),
  stateful("AUTH-2", "a contact that left another account is not subscribed", (context) => {
    const left = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isUnsubscribe(request) && hasKeyOf("full", context, request)) left.add(emailOf(request));
      return isUpsert(request) &&
        response.status === 201 &&
        left.has(emailOf(request)) &&
        hasKeyOf("otherAccount", context, request)
        ? { ...response, body: { ...objectOf(response.body), status: "unsubscribed" } }
        : response;
    };
  }),
];

/** Contacts that accounts share. */
export const isolationContactMutants: Mutant[] = [...ofContacts, ...ofMemberships];
