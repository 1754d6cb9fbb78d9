import { stateful } from "./email.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type RequirementId,
  remembers,
} from "./mutant.ts";
import {
  changeMemberships,
  changeUpserts,
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { withFields } from "./requests.ts";
import { isFromAll, isFromOne } from "./unsubscribe.ts";

/** The properties of a membership. */
export const membershipMutants: Mutant[] = [
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
      return next({ ...request, body: { ...body, email: `upper-${email}` } }).then((response) =>
        withFields(response, { email: email.toLowerCase() }),
      );
    },
  },
  ...(
    [
      ["MEMB-5", "first_name"],
      ["MEMB-6", "last_name"],
    ] as const
  ).map(([id, name]) =>
    changeMemberships(id, `${name} of a membership is reduced to ASCII letters`, (one) => ({
      ...one,
      [name]: typeof one[name] === "string" ? one[name].replaceAll(/[^a-zA-Z ]/g, "") : one[name],
    })),
  ),
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
        return isSuccess(response) ? withFields(response, { lists }) : response;
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
  ...["first_name", "last_name", "fields", "tags"].map(
    (name): Mutant => ({
      requirement: "MEMB-16",
      title: `an update leaves ${name} unchanged`,
      intercept: () => keepsFirst(name),
    }),
  ),
];

/** Whether a request is a kind of write, for a membership of a list. */
type Write = (request: MutantRequest, list: unknown) => boolean;

const listIn = ({ body }: MutantRequest): unknown => objectOf(body).list_id;

const writes = {
  "an upsert": (request, list) => isUpsert(request) && listIn(request) === list,
  "an upsert with tags": (request, list) =>
    isUpsert(request) && listIn(request) === list && objectOf(request.body).tags !== undefined,
  "an upsert with the email address in upper case": (request, list) =>
    isUpsert(request) &&
    listIn(request) === list &&
    String(objectOf(request.body).email) !== String(objectOf(request.body).email).toLowerCase(),
  "an upsert on another list": (request, list) => isUpsert(request) && listIn(request) !== list,
  "unsubscribing from another list": (request, list) => isFromOne(request) && listIn(request) !== list,
  "unsubscribing from the list": (request, list) => isFromOne(request) && listIn(request) === list,
  "unsubscribing from everything": isFromAll,
} satisfies Record<string, Write>;

interface State {
  name: string;
  is(membership: Json, record: Json): boolean;
}

const status =
  (wanted: string, more: (membership: Json, record: Json) => boolean = () => true): State["is"] =>
  (membership, record) =>
    membership.status === wanted && more(membership, record);

const states = {
  pending: status("pending"),
  confirmed: status("subscribed", ({ list_id }) => list_id === 1),
  subscribed: status("subscribed", ({ list_id }) => list_id !== 1),
  cleaned: status("cleaned"),
  complained: status("complained"),
  unsubscribed: status("unsubscribed", (_, record) => record.marketing_blocked === false),
  blocked: status("unsubscribed", (_, record) => record.marketing_blocked === true),
} satisfies Record<string, State["is"]>;

/** After a write to a contact, a membership in some state is shown with another status. */
function becomes(
  requirement: RequirementId,
  write: keyof typeof writes,
  state: keyof typeof states,
  wrong: string,
  onlyInLookups: boolean,
): Mutant {
  const title = `${write} makes ${state} memberships ${wrong}${onlyInLookups ? ", shown only by a lookup" : ""}`;
  return stateful(requirement, title, () => {
    const marked = new Set<string>();
    return async (request, next) => {
      if (!isUpsert(request) && !isUnsubscribe(request) && !isContactLookup(request)) return next(request);
      const email = emailOf(request);
      const path = `/api/v1/newsletter/contacts/${encodeURIComponent(email)}`;
      const { "idempotency-key": _, ...headers } = request.headers;
      const before = isContactLookup(request)
        ? undefined
        : await next({ method: "GET", path, headers, body: undefined });
      const response = await next(request);
      if (!isSuccess(response)) return response;
      for (const one of before === undefined ? [] : membershipsOf(before))
        if (writes[write](request, one.list_id) && states[state](one, objectOf(before?.body)))
          marked.add(`${email} ${one.list_id}`);
      const shown = (one: Json): Json =>
        marked.has(`${email} ${one.list_id}`) ? { ...one, status: wrong } : one;
      if (onlyInLookups && !isContactLookup(request)) return response;
      const body = objectOf(response.body);
      return {
        ...response,
        body: isUpsert(request) ? shown(body) : { ...body, lists: membershipsOf(response).map(shown) },
      };
    };
  });
}

type Row = [RequirementId, write: keyof typeof writes, state: keyof typeof states, wrong: string];

const ofResponses: Row[] = [
  ["MEMB-17", "an upsert", "unsubscribed", "subscribed"],
  ["MEMB-17", "an upsert with the email address in upper case", "blocked", "subscribed"],
  ["MEMB-16", "an upsert on another list", "pending", "subscribed"],
  ["MEMB-16", "an upsert on another list", "subscribed", "pending"],
  ["MEMB-16", "an upsert on another list", "confirmed", "pending"],
  ["MEMB-17", "an upsert on another list", "unsubscribed", "subscribed"],
  ["MEMB-17", "an upsert on another list", "blocked", "subscribed"],
  ["UNSUB-5", "unsubscribing from another list", "pending", "subscribed"],
  ["UNSUB-5", "unsubscribing from another list", "confirmed", "pending"],
  ["UNSUB-5", "unsubscribing from another list", "unsubscribed", "subscribed"],
  ["UNSUB-5", "unsubscribing from another list", "blocked", "subscribed"],
  ["UNSUB-1", "unsubscribing from everything", "confirmed", "subscribed"],
  ["UNSUB-1", "unsubscribing from everything", "blocked", "subscribed"],
  ["UNSUB-4", "unsubscribing from the list", "confirmed", "subscribed"],
  ["UNSUB-4", "unsubscribing from the list", "unsubscribed", "subscribed"],
  ["UNSUB-4", "unsubscribing from the list", "blocked", "subscribed"],
];

const ofLookups: Row[] = [
  ["MEMB-16", "an upsert with tags", "cleaned", "subscribed"],
  ["MEMB-17", "an upsert with tags", "complained", "subscribed"],
  ["UNSUB-5", "unsubscribing from another list", "subscribed", "pending"],
  ["UNSUB-1", "unsubscribing from everything", "pending", "pending"],
  ["UNSUB-1", "unsubscribing from everything", "cleaned", "cleaned"],
  ["UNSUB-1", "unsubscribing from everything", "unsubscribed", "subscribed"],
  ["UNSUB-4", "unsubscribing from the list", "pending", "pending"],
  ["UNSUB-4", "unsubscribing from the list", "complained", "complained"],
];

/** A later write clears marketing_blocked. */
const clears = (write: string, applies: (request: MutantRequest) => boolean): Mutant =>
  remembers("UNSUB-2", `${write} clears marketing_blocked`, () => {
    const blocked = new Map<string, boolean>();
    return (response, request) => {
      if (!isSuccess(response)) return response;
      const email = emailOf(request);
      if (blocked.has(email) && applies(request)) blocked.set(email, false);
      else if (isFromAll(request) && !blocked.has(email)) blocked.set(email, true);
      const isRecord = isContactLookup(request) || isUnsubscribe(request);
      return isRecord && blocked.get(email) === false
        ? withFields(response, { marketing_blocked: false })
        : response;
    };
  });

export const ofBlocked: Mutant[] = [clears("unsubscribing again from everything", isFromAll)];

export const terminalMembershipMutants: Mutant[] = [
  ...ofResponses.map((row) => becomes(...row, false)),
  ...ofLookups.map((row) => becomes(...row, true)),
];
