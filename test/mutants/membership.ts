import type { Mutant } from "./mutant.ts";
import {
  changeMemberships,
  changeUpserts,
  emailOf,
  isSuccess,
  isUpsert,
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
