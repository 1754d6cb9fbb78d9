import type { Fault } from "./fault.ts";
import {
  addressIn,
  inMemberships,
  inPosts,
  isGood,
  isPost,
  listOf,
  membershipsIn,
  objectOf,
  without,
} from "./newsletter.ts";

/** Without one of its properties, or with another value of it, wherever a membership is shown. */
const lacks = (breaks: Fault["breaks"], name: string): Fault =>
  inMemberships(breaks, `a membership has no ${name}`, (one) => without(one, name));
const has = (
  breaks: Fault["breaks"],
  name: string,
  words: string,
  change: (value: unknown) => unknown,
): Fault =>
  inMemberships(breaks, `${name} of a membership is ${words}`, (one) => ({
    ...one,
    [name]: change(one[name]),
  }));
const anyTime = "2026-01-05T08:00:00Z";

/** The fields of a membership. */
export const membershipFaults: Fault[] = [
  lacks("MEMB-1", "list_id"),
  has("MEMB-1", "list_id", "a text", String),
  has("MEMB-1", "list_id", "that of the first list", () => 1),
  lacks("MEMB-2", "email"),
  has("MEMB-2", "email", "in capitals", (email) => String(email).toUpperCase()),
  inPosts("MEMB-2", "a post is answered with the address as it was written", (answer, one, { body }) => ({
    ...answer,
    body: { ...one, email: objectOf(body).email },
  })),
  {
    breaks: "MEMB-2",
    title: "an address in capitals is another contact",
    between: () => (request, next) => {
      const body = objectOf(request.body);
      const { email } = body;
      if (!isPost(request) || typeof email !== "string" || email === email.toLowerCase())
        return next(request);
      return next({ ...request, body: { ...body, email: `upper-${email}` } }).then((answer) => ({
        ...answer,
        body: { ...objectOf(answer.body), email: email.toLowerCase() },
      }));
    },
  },
  lacks("MEMB-3", "status"),
  has("MEMB-3", "status", "called active in place of subscribed", (status) =>
    status === "subscribed" ? "active" : status,
  ),
  has("MEMB-3", "status", "written in capitals", (status) => String(status).toUpperCase()),
  has("MEMB-3", "status", "subscribed after a complaint", (status) =>
    status === "complained" ? "subscribed" : status,
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
    has(id, name, "always null", () => null),
    has(id, name, "left with plain letters only", (value) =>
      typeof value === "string" ? value.replaceAll(/[^a-zA-Z ]/g, "") : value,
    ),
  ]),
  inMemberships("MEMB-5", "a membership has the names the other way round", (one) => ({
    ...one,
    first_name: one.last_name,
    last_name: one.first_name,
  })),
  lacks("MEMB-7", "fields"),
  has("MEMB-7", "fields", "a list of keys and values", (fields) =>
    Object.entries(objectOf(fields)).map(([key, value]) => ({ key, value })),
  ),
  has("MEMB-7", "fields", "always empty", () => ({})),
  has("MEMB-7", "fields", "null where there are none", (fields) =>
    Object.keys(objectOf(fields)).length === 0 ? null : fields,
  ),
  lacks("MEMB-8", "tags"),
  has("MEMB-8", "tags", "a text with commas", (tags) => listOf(tags).join(",")),
  has("MEMB-8", "tags", "always empty", () => []),
  has("MEMB-8", "tags", "a list of objects", (tags) => listOf(tags).map((name) => ({ name }))),
  lacks("MEMB-9", "subscribed_at"),
  inMemberships("MEMB-9", "subscribed_at is null on a list that asks for no confirmation", (one) =>
    one.list_id === 1 ? one : { ...one, subscribed_at: null },
  ),
  inMemberships("MEMB-9", "subscribed_at of a pending contact is the time of the post", (one) =>
    one.status === "pending" ? { ...one, subscribed_at: anyTime } : one,
  ),
  inMemberships("MEMB-9", "subscribed_at is in seconds since 1970", (one) =>
    typeof one.subscribed_at === "string"
      ? { ...one, subscribed_at: Date.parse(one.subscribed_at) / 1000 }
      : one,
  ),
  inMemberships("MEMB-9", "subscribed_at is years off", (one) =>
    typeof one.subscribed_at === "string" ? { ...one, subscribed_at: "1970-01-01T00:00:00Z" } : one,
  ),
  inMemberships("MEMB-9", "subscribed_at of one who left before confirming is the time of leaving", (one) =>
    one.status === "unsubscribed" ? { ...one, subscribed_at: one.unsubscribed_at } : one,
  ),
  inPosts("MEMB-9", "an update moves subscribed_at", (answer, one) =>
    answer.status === 200 && typeof one.subscribed_at === "string"
      ? { ...answer, body: { ...one, subscribed_at: later(one.subscribed_at) } }
      : undefined,
  ),
  {
    breaks: "MEMB-9",
    title: "subscribed_at of one who confirmed is the time of the post",
    between: ({ now }) => {
      const posts = new Map<string, string>();
      return async (request, next) => {
        const answer = await next(request);
        const address = addressIn(request);
        if (isPost(request) && !posts.has(address)) posts.set(address, new Date(now()).toISOString());
        if (request.method !== "GET" || !posts.has(address)) return answer;
        const lists = membershipsIn(answer).map((one) =>
          one.list_id === 1 && one.status === "subscribed"
            ? { ...one, subscribed_at: posts.get(address) }
            : one,
        );
        return isGood(answer) ? { ...answer, body: { ...objectOf(answer.body), lists } } : answer;
      };
    },
  },
  lacks("MEMB-10", "unsubscribed_at"),
  inMemberships("MEMB-10", "unsubscribed_at stays null after leaving", (one) => ({
    ...one,
    unsubscribed_at: null,
  })),
  inMemberships("MEMB-10", "unsubscribed_at of a subscriber is the time of joining", (one) => ({
    ...one,
    unsubscribed_at: one.unsubscribed_at ?? one.subscribed_at,
  })),
  inMemberships("MEMB-10", "unsubscribed_at is a day without a time", (one) => ({
    ...one,
    unsubscribed_at: typeof one.unsubscribed_at === "string" ? one.unsubscribed_at.slice(0, 10) : null,
  })),
];

const later = (time: string): string => new Date(Date.parse(time) + 60_000).toISOString();
