import type { Interceptor, Mutant } from "./mutant.ts";
import {
  changeContacts,
  changeMemberships,
  changeUpserts,
  emailOf,
  isContactLookup,
  isSuccess,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";

/** Posts whose responses, and everything shown of them, have the details of the first one. */
const keepsFirst = (name: string): Interceptor => {
  const first = new Map<string, unknown>();
  return async (request, next) => {
    const response = await next(request);
    if (!isSuccess(response) || !request.path.startsWith("/api/v1/newsletter/contacts")) return response;
    const address = emailOf(request);
    const body = objectOf(response.body);
    if (isUpsert(request) && !first.has(address)) first.set(address, body[name]);
    if (!first.has(address)) return response;
    const old = (one: Json): Json => ({ ...one, [name]: first.get(address) });
    return {
      ...response,
      body: isUpsert(request) ? old(body) : { ...body, lists: membershipsOf(response).map(old) },
    };
  };
};

/** The states of a membership. */
export const membershipStatesMutants: Mutant[] = [
  changeMemberships("MEMB-11", "a contact of a list with double opt-in is subscribed at once", (one) =>
    one.status === "pending" ? { ...one, status: "subscribed" } : one,
  ),
  changeContacts(
    "MEMB-11",
    "a contact that has yet to confirm is shown as subscribed when it is looked up",
    (record) => ({
      ...record,
      lists: membershipsOf({ body: record }).map((one) =>
        one.status === "pending" ? { ...one, status: "subscribed" } : one,
      ),
    }),
  ),
  changeMemberships("MEMB-13", "a contact of a list without double opt-in is pending", (one) =>
    one.status === "subscribed" && one.list_id !== 1 ? { ...one, status: "pending" } : one,
  ),
  changeUpserts(
    "MEMB-13",
    "a contact of a list without double opt-in is pending in the response",
    (response, one) =>
      one.status === "subscribed" && one.list_id !== 1
        ? { ...response, body: { ...one, status: "pending" } }
        : undefined,
  ),
  changeMemberships("MEMB-15", "a contact that confirmed is still pending", (one) =>
    one.status === "subscribed" && one.list_id === 1 ? { ...one, status: "pending" } : one,
  ),
  changeMemberships("MEMB-15", "a contact that confirmed has no subscribed_at", (one) =>
    one.status === "subscribed" && one.list_id === 1 ? { ...one, subscribed_at: null } : one,
  ),
  ...["first_name", "last_name", "fields"].map(
    (name): Mutant => ({
      requirement: "MEMB-16",
      title: `an update leaves ${name} as it was`,
      intercept: () => keepsFirst(name),
    }),
  ),
  {
    requirement: "MEMB-16",
    title: "an update leaves the tags as they were",
    intercept: () => keepsFirst("tags"),
  },
  changeUpserts("MEMB-16", "a second post subscribes a contact that has yet to confirm", (response, one) =>
    response.status === 200 && one.status === "pending"
      ? { ...response, body: { ...one, status: "subscribed" } }
      : undefined,
  ),
  changeUpserts("MEMB-16", "an update makes a subscriber confirm again", (response, one) =>
    response.status === 200 && one.status === "subscribed"
      ? { ...response, body: { ...one, status: "pending" } }
      : undefined,
  ),
  changeUpserts("MEMB-16", "a post wakes a contact that was rested", (response, one) =>
    one.status === "cleaned" ? { ...response, body: { ...one, status: "subscribed" } } : undefined,
  ),
  changeUpserts("MEMB-17", "a post puts back who left", (response, one) =>
    one.status === "unsubscribed"
      ? { ...response, body: { ...one, status: "subscribed", unsubscribed_at: null } }
      : undefined,
  ),
  changeUpserts(
    "MEMB-17",
    "a post asks who left a list with double opt-in to confirm again",
    (response, one) =>
      one.status === "unsubscribed" && one.list_id === 1
        ? { ...response, body: { ...one, status: "pending" } }
        : undefined,
  ),
  changeUpserts(
    "MEMB-17",
    "who left everything is to confirm on a list with double opt-in",
    (response, one) =>
      response.status === 201 && one.status === "unsubscribed" && one.list_id === 1
        ? { ...response, body: { ...one, status: "pending" } }
        : undefined,
  ),
  changeUpserts("MEMB-17", "a post puts back who complained", (response, one) =>
    one.status === "complained" ? { ...response, body: { ...one, status: "subscribed" } } : undefined,
  ),
  changeUpserts("MEMB-17", "who left everything is subscribed on a further list", (response, one) =>
    response.status === 201 && one.status === "unsubscribed"
      ? { ...response, body: { ...one, status: "subscribed" } }
      : undefined,
  ),
  changeUpserts("MEMB-17", "who left everything is to confirm on a further list", (response, one) =>
    response.status === 201 && one.status === "unsubscribed"
      ? { ...response, body: { ...one, status: "pending" } }
      : undefined,
  ),
  {
    requirement: "MEMB-17",
    title: "a post puts back who left, which only a look-up shows",
    intercept: () => {
      const back = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (!isSuccess(response)) return response;
        if (isUpsert(request) && objectOf(response.body).status === "unsubscribed")
          back.add(emailOf(request));
        if (!isContactLookup(request) || !back.has(emailOf(request))) return response;
        const lists = membershipsOf(response).map((one) => ({ ...one, status: "subscribed" }));
        return { ...response, body: { ...objectOf(response.body), lists } };
      };
    },
  },
  changeMemberships("MEMB-18", "a contact that was rested is shown as subscribed", (one) =>
    one.status === "cleaned" ? { ...one, status: "subscribed" } : one,
  ),
];
