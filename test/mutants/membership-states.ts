import type { Interceptor, Mutant } from "./mutant.ts";
import {
  changeContacts,
  changeMemberships,
  changeUpserts,
  emailOf,
  isSuccess,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";

/** Responses and records keep the values of the first upsert. */
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

/** The statuses of a membership. */
export const membershipStatesMutants: Mutant[] = [
  changeMemberships("MEMB-11", "a contact of a list with double opt-in is subscribed immediately", (one) =>
    one.status === "pending" ? { ...one, status: "subscribed" } : one,
  ),
  changeContacts("MEMB-11", "a pending contact is subscribed in the contact record", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one) =>
      one.status === "pending" ? { ...one, status: "subscribed" } : one,
    ),
  })),
  changeMemberships("MEMB-13", "a contact of a list without double opt-in is pending", (one) =>
    one.status === "subscribed" && one.list_id !== 1 ? { ...one, status: "pending" } : one,
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
      title: `an update leaves ${name} unchanged`,
      intercept: () => keepsFirst(name),
    }),
  ),
  {
    requirement: "MEMB-16",
    title: "an update leaves the tags unchanged",
    intercept: () => keepsFirst("tags"),
  },
  changeUpserts("MEMB-16", "a second upsert subscribes a pending contact", (response, one) =>
    response.status === 200 && one.status === "pending"
      ? { ...response, body: { ...one, status: "subscribed" } }
      : undefined,
  ),
  changeUpserts("MEMB-16", "an upsert subscribes a cleaned contact", (response, one) =>
    one.status === "cleaned" ? { ...response, body: { ...one, status: "subscribed" } } : undefined,
  ),
  changeUpserts(
    "MEMB-17",
    "after unsubscribing from everything, a contact is pending on a list with double opt-in",
    (response, one) =>
      response.status === 201 && one.status === "unsubscribed" && one.list_id === 1
        ? { ...response, body: { ...one, status: "pending" } }
        : undefined,
  ),
  changeUpserts("MEMB-17", "an upsert subscribes a complained contact", (response, one) =>
    one.status === "complained" ? { ...response, body: { ...one, status: "subscribed" } } : undefined,
  ),
  changeMemberships("MEMB-18", "a cleaned contact is shown as subscribed", (one) =>
    one.status === "cleaned" ? { ...one, status: "subscribed" } : one,
  ),
];
