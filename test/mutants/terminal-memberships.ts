import { stateful } from "./email.ts";
import type { Mutant, MutantRequest, RequirementId } from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { isReplay } from "./same-key.ts";
import { isFromAll, isFromOne } from "./unsubscribe-support.ts";

/** Whether a request is a kind of write, for a membership of a list. */
type Write = (request: MutantRequest, list: unknown) => boolean;

const listIn = ({ body }: MutantRequest): unknown => objectOf(body).list_id;

const writes = {
  "an upsert": (request, list) => isUpsert(request) && listIn(request) === list,
  "an upsert with consent": (request, list) =>
    isUpsert(request) && listIn(request) === list && objectOf(request.body).consent !== undefined,
  "an upsert with tags": (request, list) =>
    isUpsert(request) && listIn(request) === list && objectOf(request.body).tags !== undefined,
  "an upsert with custom fields": (request, list) =>
    isUpsert(request) && listIn(request) === list && objectOf(request.body).fields !== undefined,
  "an upsert with an idempotency key": (request, list) =>
    isUpsert(request) && listIn(request) === list && request.headers["idempotency-key"] !== undefined,
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
  subscribed: status("subscribed", ({ list_id }) => list_id !== 1),
  confirmed: status("subscribed", ({ list_id }) => list_id === 1),
  cleaned: status("cleaned"),
  complained: status("complained"),
  unsubscribed: status("unsubscribed", (_, record) => record.marketing_blocked === false),
  blocked: status("unsubscribed", (_, record) => record.marketing_blocked === true),
} satisfies Record<string, State["is"]>;

/** After a write to a contact, a membership in some state is shown with another status. */
function becomes(
  requirement: RequirementId,
  state: keyof typeof states,
  write: keyof typeof writes,
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

const both = (...given: [RequirementId, keyof typeof states, keyof typeof writes, string]): Mutant[] => [
  becomes(...given, false),
  becomes(...given, true),
];

const left = ["unsubscribed", "blocked"] as const;
const kept = ["pending", "subscribed", "confirmed", "cleaned"] as const;

const wrongFor = (state: keyof typeof states): string =>
  state === "subscribed" || state === "confirmed" ? "pending" : "subscribed";

const ofUpserts: Mutant[] = [
  ...kept.flatMap((state) => both("MEMB-16", state, "an upsert", wrongFor(state))),
  ...both("MEMB-16", "cleaned", "an upsert", "pending"),
  ...(["complained", ...left] as const).flatMap((state) => both("MEMB-17", state, "an upsert", "subscribed")),
  ...(["unsubscribed", "blocked"] as const).flatMap((state) =>
    both("MEMB-17", state, "an upsert with the email address in upper case", "subscribed"),
  ),
  ...(["pending", "subscribed", "confirmed"] as const).flatMap((state) =>
    both("MEMB-16", state, "an upsert on another list", wrongFor(state)),
  ),
  ...left.flatMap((state) => both("MEMB-17", state, "an upsert on another list", "subscribed")),
  ...left.flatMap((state) => both("MEMB-17", state, "an upsert with consent", "subscribed")),
  ...(
    ["an upsert with tags", "an upsert with custom fields", "an upsert with an idempotency key"] as const
  ).flatMap((write) => left.flatMap((state) => both("MEMB-17", state, write, "subscribed"))),
  ...(["an upsert with tags", "an upsert with custom fields"] as const).flatMap((write) => [
    ...both("MEMB-16", "cleaned", write, "subscribed"),
    ...both("MEMB-17", "complained", write, "subscribed"),
  ]),
  ...both("MEMB-17", "complained", "an upsert with consent", "subscribed"),
  ...both("MEMB-16", "pending", "an upsert with consent", "subscribed"),
  ...both("MEMB-16", "cleaned", "an upsert with consent", "subscribed"),
];

const ofUnsubscribes: Mutant[] = [
  ...(["pending", "subscribed", "confirmed", ...left] as const).flatMap((state) =>
    both("UNSUB-5", state, "unsubscribing from another list", wrongFor(state)),
  ),
  ...(Object.keys(states) as (keyof typeof states)[]).flatMap((state) => {
    const wrong = ["pending", "cleaned", "complained"].includes(state) ? state : "subscribed";
    // The fixtures have one contact in each of these states, which can unsubscribe once.
    return [
      ...(state === "complained" ? [] : both("UNSUB-1", state, "unsubscribing from everything", wrong)),
      ...(state === "cleaned" ? [] : both("UNSUB-4", state, "unsubscribing from the list", wrong)),
    ];
  }),
];

/** A reason keeps an unsubscribe from having an effect. */
const ofReasons: Mutant[] = (
  [
    ["UNSUB-1", "everything", isFromAll],
    ["UNSUB-4", "one list", isFromOne],
  ] as const
).map(([requirement, what, applies]) =>
  stateful(requirement, `an unsubscribe from ${what} with a reason has no effect`, () => (request, next) => {
    if (!applies(request) || objectOf(request.body).reason === undefined) return next(request);
    const path = request.path.replace(/\/unsubscribe$/, "");
    return next({ ...request, method: "GET", path, body: undefined });
  }),
);

/** A later write clears marketing_blocked. */
const clears = (write: string, applies: (request: MutantRequest) => boolean): Mutant =>
  stateful("UNSUB-2", `${write} clears marketing_blocked`, () => {
    const blocked = new Map<string, boolean>();
    return async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response)) return response;
      const email = emailOf(request);
      if (blocked.has(email) && applies(request)) blocked.set(email, false);
      else if (isFromAll(request) && !blocked.has(email)) blocked.set(email, true);
      const isRecord = isContactLookup(request) || isUnsubscribe(request);
      return isRecord && blocked.get(email) === false
        ? { ...response, body: { ...objectOf(response.body), marketing_blocked: false } }
        : response;
    };
  });

const ofBlocked: Mutant[] = [
  clears("unsubscribing again from one list", isFromOne),
  clears("unsubscribing again from everything", isFromAll),
  clears("an upsert with details", (request) => isUpsert(request) && "first_name" in objectOf(request.body)),
  clears("an upsert on another list", (request) => isUpsert(request) && listIn(request) === 3),
];

/** The replay of an upsert puts the contact back. */
const ofReplays: Mutant[] = [
  stateful("MEMB-17", "the replay of an upsert subscribes an unsubscribed contact", () => {
    const back = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isUpsert(request) && isReplay(response)) back.add(emailOf(request));
      if (!isContactLookup(request) || !isSuccess(response) || !back.has(emailOf(request))) return response;
      const lists = membershipsOf(response).map((one) => ({ ...one, status: "subscribed" }));
      return { ...response, body: { ...objectOf(response.body), lists } };
    };
  }),
];

export const terminalMembershipMutants: Mutant[] = [
  ...ofUpserts,
  ...ofUnsubscribes,
  ...ofReasons,
  ...ofBlocked,
  ...ofReplays,
];
