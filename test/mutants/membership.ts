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
  without,
} from "./newsletter.ts";

/** Removes or changes a property wherever a membership is shown. */
const lacks = (requirement: Mutant["requirement"], name: string): Mutant =>
  changeMemberships(requirement, `a membership has no ${name}`, (one) => without(one, name));
const has = (
  requirement: Mutant["requirement"],
  name: string,
  words: string,
  change: (value: unknown) => unknown,
): Mutant =>
  changeMemberships(requirement, `${name} of a membership is ${words}`, (one) => ({
    ...one,
    [name]: change(one[name]),
  }));

/** The properties of a membership. */
export const membershipMutants: Mutant[] = [
  lacks("MEMB-1", "list_id"),
  changeUpserts(
    "MEMB-2",
    "the response to an upsert has the email address as it was sent",
    (response, one, { body }) => ({
      ...response,
      body: { ...one, email: objectOf(body).email },
    }),
  ),
  {
    requirement: "MEMB-2",
    title: "an email address in upper case is another contact",
    intercept: () => (request, next) => {
      const body = objectOf(request.body);
      const { email } = body;
      if (!isUpsert(request) || typeof email !== "string" || email === email.toLowerCase())
        return next(request);
      return next({ ...request, body: { ...body, email: `upper-${email}` } }).then((response) => ({
        ...response,
        body: { ...objectOf(response.body), email: email.toLowerCase() },
      }));
    },
  },
  lacks("MEMB-3", "status"),
  has("MEMB-3", "status", "active instead of subscribed", (status) =>
    status === "subscribed" ? "active" : status,
  ),
  lacks("MEMB-4", "status_description"),
  has("MEMB-4", "status_description", "null", () => null),
  ...(
    [
      ["MEMB-5", "first_name"],
      ["MEMB-6", "last_name"],
    ] as const
  ).flatMap(([id, name]) => [
    lacks(id, name),
    has(id, name, "reduced to ASCII letters", (value) =>
      typeof value === "string" ? value.replaceAll(/[^a-zA-Z ]/g, "") : value,
    ),
  ]),
  lacks("MEMB-7", "fields"),
  has("MEMB-7", "fields", "null instead of empty", (fields) =>
    Object.keys(objectOf(fields)).length === 0 ? null : fields,
  ),
  lacks("MEMB-8", "tags"),
  changeMemberships(
    "MEMB-9",
    "subscribed_at of a contact unsubscribed while pending is the time of the unsubscribe",
    (one) => (one.status === "unsubscribed" ? { ...one, subscribed_at: one.unsubscribed_at } : one),
  ),
  changeUpserts("MEMB-9", "an update changes subscribed_at", (response, one) =>
    response.status === 200 && typeof one.subscribed_at === "string"
      ? { ...response, body: { ...one, subscribed_at: later(one.subscribed_at) } }
      : undefined,
  ),
  {
    requirement: "MEMB-9",
    title: "subscribed_at of a confirmed contact is the time of the upsert",
    intercept: ({ now }) => {
      const posts = new Map<string, string>();
      return async (request, next) => {
        const response = await next(request);
        const address = emailOf(request);
        if (isUpsert(request) && !posts.has(address)) posts.set(address, new Date(now()).toISOString());
        if (request.method !== "GET" || !posts.has(address)) return response;
        const lists = membershipsOf(response).map((one) =>
          one.list_id === 1 && one.status === "subscribed"
            ? { ...one, subscribed_at: posts.get(address) }
            : one,
        );
        return isSuccess(response) ? { ...response, body: { ...objectOf(response.body), lists } } : response;
      };
    },
  },
  changeMemberships("MEMB-10", "unsubscribed_at of a subscribed contact is the time of joining", (one) => ({
    ...one,
    unsubscribed_at: one.unsubscribed_at ?? one.subscribed_at,
  })),
  changeMemberships("MEMB-10", "unsubscribed_at is a date without a time", (one) => ({
    ...one,
    unsubscribed_at: typeof one.unsubscribed_at === "string" ? one.unsubscribed_at.slice(0, 10) : null,
  })),
];

const later = (time: string): string => new Date(Date.parse(time) + 60_000).toISOString();

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
