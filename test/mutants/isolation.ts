import type { OperationId } from "../../generated/operations.ts";
import { isBatch, isScheduled, isSend, stateful } from "./email.ts";
import type { Interceptor, Mutant, MutantRequest, Next, SandboxContext } from "./mutant.ts";
import {
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { isRequestTo, mistakesKey, withKey } from "./requests.ts";
import { isFromOne } from "./unsubscribe-support.ts";

const ofOther = ({ bearer }: SandboxContext, { headers }: MutantRequest): boolean =>
  headers.authorization === bearer("otherAccount");
const ofMain = ({ bearer }: SandboxContext, { headers }: MutantRequest): boolean =>
  headers.authorization === bearer("full");

/** The first account finds what belongs to others. */
const mainFinds = (operation: OperationId, what: string): Mutant =>
  stateful("AUTH-2", `the first account can ${what}`, (context) => async (request, next) => {
    const response = await next(request);
    const applies = isRequestTo(request, operation) && response.status === 404 && ofMain(context, request);
    return applies ? next(withKey(request, context.bearer("otherAccount"))) : response;
  });

const found: Mutant[] = [
  mainFinds("getEmail", "look up messages of others"),
  mainFinds("rescheduleEmail", "reschedule messages of others"),
  mainFinds("cancelEmail", "cancel messages of others"),
  mainFinds("getContact", "look up contacts of others"),
  mainFinds("unsubscribeContact", "unsubscribe contacts of others"),
  stateful("AUTH-2", "contacts of others can be unsubscribed from a list", (context) => {
    return async (request, next) => {
      const response = await next(request);
      const applies = isFromOne(request) && response.status === 404 && ofMain(context, request);
      if (!applies || objectOf(request.body).list_id === 11) return response;
      return next({ ...withKey(request, context.bearer("otherAccount")), body: {} });
    };
  }),
  ...(["rescheduleEmail", "cancelEmail"] as const).map((operation) =>
    stateful("AUTH-2", `${operation} of another account's sent message returns 409`, (context) => {
      return async (request, next) => {
        const response = await next(request);
        if (!isRequestTo(request, operation) || response.status !== 404 || !ofOther(context, request))
          return response;
        const { body } = await lookUp(context, request, next);
        return ["sent", "delivered", "bounced", "complained"].includes(String(objectOf(body).status))
          ? errorResponse(409, operation === "cancelEmail" ? "not_cancellable" : "not_reschedulable")
          : response;
      };
    }),
  ),
];

const lookUp = ({ bearer }: SandboxContext, { path }: MutantRequest, next: Next) =>
  next({ method: "GET", path, headers: { authorization: bearer("full") }, body: undefined });

/** Rejects a request for an object of another account, but performs it. */
const yetPerformed = (operation: OperationId, what: string): Mutant =>
  stateful(
    "AUTH-2",
    `${what} another account's object returns 404, but is performed`,
    (context) => async (request, next) => {
      const response = await next(request);
      const applies = isRequestTo(request, operation) && response.status === 404 && ofOther(context, request);
      if (applies) await next(withKey(request, context.bearer("full")));
      return response;
    },
  );

const performed: Mutant[] = [
  yetPerformed("rescheduleEmail", "rescheduling"),
  yetPerformed("cancelEmail", "canceling"),
  yetPerformed("upsertContact", "adding a contact to"),
  yetPerformed("unsubscribeContact", "unsubscribing"),
  stateful(
    "CONT-7",
    "a list of another account returns 404, but gets the contact",
    ({ bearer }) =>
      async (request, next) => {
        const response = await next(request);
        if (isUpsert(request) && response.status === 404)
          await next(withKey(request, bearer("otherAccount")));
        return response;
      },
  ),
  stateful("CONT-7", "a list of another account returns 404, but the contact is updated", (context) => {
    return async (request, next) => {
      const response = await next(request);
      if (!isUpsert(request) || response.status !== 404 || !ofMain(context, request)) return response;
      const path = `/api/v1/newsletter/contacts/${encodeURIComponent(emailOf(request))}`;
      const known = await next({ ...request, method: "GET", path, body: undefined });
      const [first] = membershipsOf(known);
      if (first) await next({ ...request, body: { ...objectOf(request.body), list_id: first.list_id } });
      return response;
    };
  }),
  stateful(
    "UNSUB-12",
    "unsubscribing from a list of another account returns 404, but ends that membership",
    ({ bearer }) =>
      async (request, next) => {
        const response = await next(request);
        if (isUnsubscribe(request) && response.status === 404 && objectOf(request.body).list_id === 11)
          await next(withKey(request, bearer("otherAccount")));
        return response;
      },
  ),
];

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
  shared("another account sees the custom fields that the first gave a contact", (one, other) => ({
    ...one,
    fields: { ...objectOf(other.fields), ...objectOf(one.fields) },
  })),
  ...(["full", "otherAccount"] as const).flatMap((side) => {
    const whose = side === "full" ? "the first account sees" : "another account sees";
    return [
      shared(
        `${whose} the tags that the other gave a contact`,
        (one, other) => ({ ...one, tags: [...new Set([...listOf(one.tags), ...listOf(other.tags)])] }),
        { side },
      ),
      shared(
        `${whose} the first name that the other gave a contact`,
        (one, other) => ({ ...one, first_name: other.first_name ?? one.first_name }),
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
  stateful("AUTH-2", "a contact of another account is updated with 200 instead of added", (context) => {
    const added = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (!isUpsert(request) || !isSuccess(response)) return response;
      const isKnown = added.has(emailOf(request)) && ofOther(context, request);
      added.add(emailOf(request));
      return isKnown ? { ...response, status: 200 } : response;
    };
  }),
  stateful("AUTH-2", "a contact that left another account is not subscribed", (context) => {
    const left = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isUnsubscribe(request) && ofMain(context, request)) left.add(emailOf(request));
      return isUpsert(request) &&
        response.status === 201 &&
        left.has(emailOf(request)) &&
        ofOther(context, request)
        ? { ...response, body: { ...objectOf(response.body), status: "unsubscribed" } }
        : response;
    };
  }),
  stateful("AUTH-2", "a contact record includes memberships of lists of other accounts", ({ bearer }) => {
    return async (request, next) => {
      const response = await next(request);
      if (!isContactLookup(request) || !isSuccess(response)) return response;
      const isFull = request.headers.authorization === bearer("full");
      const others = await next(withKey(request, bearer(isFull ? "otherAccount" : "full")));
      const lists = [...membershipsOf(response), ...membershipsOf(others)];
      return { ...response, body: { ...objectOf(response.body), lists } };
    };
  }),
];

const ofListings: Mutant[] = [
  stateful("AUTH-2", "lists with double opt-in are listed for all accounts", (context) => {
    return async (request, next) => {
      const response = await next(request);
      if (!isRequestTo(request, "listNewsletterLists") || !ofOther(context, request)) return response;
      const lists = [
        ...listOf(objectOf(response.body).lists),
        { id: 1, name: "Weekly letter", double_opt_in: true },
      ];
      return { ...response, body: { lists } };
    };
  }),
  mistakesKey("AUTH-2", "the custom fields of the first account are listed for all", {
    from: "otherAccount",
    to: "full",
    on: ["listCustomFields"],
  }),
  stateful("AUTH-2", "values for custom fields of another account are accepted", (context) => {
    return (request, next) => {
      const { fields, ...rest } = objectOf(request.body);
      const applies = isUpsert(request) && ofOther(context, request) && fields !== undefined;
      return next(applies ? { ...request, body: rest } : request);
    };
  }),
  mistakesKey("ME-1", "GET /me returns the first account for all keys", {
    from: "otherAccount",
    to: "full",
    on: ["getMe"],
  }),
  mistakesKey("ME-2", "GET /me returns all abilities for all keys", {
    from: "readOnly",
    to: "full",
    on: ["getMe"],
  }),
  mistakesKey("ME-3", "GET /me returns no stop time for a replaced key", {
    from: "replaced",
    to: "full",
    on: ["getMe"],
  }),
];

/** Sends what another account must not send. */
const sendsWith = (
  requirement: Mutant["requirement"],
  title: string,
  applies: (request: MutantRequest) => boolean,
  change: (message: Json, context: SandboxContext, request: MutantRequest) => Json,
): Mutant =>
  stateful(requirement, title, (context) => (request, next) => {
    if (!applies(request)) return next(request);
    const body = objectOf(request.body);
    const changed = isBatch(request)
      ? { emails: listOf(body.emails).map((one) => change(objectOf(one), context, request)) }
      : change(body, context, request);
    return next({ ...request, body: changed });
  });

const isImmediate = (request: MutantRequest): boolean => isSend(request) && !isScheduled(request);
const bakery = /@(bakery\.example)$/;

const ofSending: Mutant[] = (
  [
    ["a message", isImmediate],
    ["a scheduled message", isScheduled],
    ["a batch", isBatch],
  ] as const
).flatMap(([what, applies]) => [
  sendsWith(
    "AUTH-17",
    `${what} of another account is sent from a domain of the first`,
    applies,
    (message, context, request) =>
      ofOther(context, request) && bakery.test(String(message.from))
        ? { ...message, from: "contract@florist.example" }
        : message,
  ),
  sendsWith(
    "SEND-14",
    `${what} of another account uses a template of the first`,
    applies,
    (message, context, request) =>
      ofOther(context, request) && message.template_id === "order-ready"
        ? { ...message, template_id: "bouquet" }
        : message,
  ),
]);

const ofOtherDirection: Mutant = sendsWith(
  "AUTH-17",
  "a scheduled message is sent from a domain of another account",
  isScheduled,
  (message, context, request) =>
    ofMain(context, request) && String(message.from).endsWith("@florist.example")
      ? { ...message, from: "contract@bakery.example" }
      : message,
);

export const isolationMutants: Mutant[] = [
  ...found,
  ...performed,
  ...ofContacts,
  ...ofMemberships,
  ...ofListings,
  ...ofSending,
  ofOtherDirection,
];
