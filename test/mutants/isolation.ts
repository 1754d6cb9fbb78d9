import type { OperationId } from "../../generated/operations.ts";
import {
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isScheduled,
  stateful,
} from "./email.ts";
import { type Message, withPast } from "./history.ts";
import {
  type Applies,
  type Mutant,
  type MutantRequest,
  type Next,
  remembers,
  type SandboxContext,
  takes,
} from "./mutant.ts";
import {
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
} from "./newsletter.ts";
import { both, isMoved } from "./past.ts";
import { hasKeyOf, isRequestTo, withKey } from "./requests.ts";

/** The first account finds what belongs to others. */
const mainFinds = (operation: OperationId, what: string): Mutant =>
  stateful("AUTH-2", `the first account can ${what}`, (context) => async (request, next) => {
    const response = await next(request);
    const applies =
      isRequestTo(request, operation) && response.status === 404 && hasKeyOf("full", context, request);
    return applies ? next(withKey(request, context.bearer("otherAccount"))) : response;
  });

export const found: Mutant[] = [
  mainFinds("getEmail", "look up messages of others"),
  mainFinds("getContact", "look up contacts of others"),
  ...(["rescheduleEmail", "cancelEmail"] as const).map((operation) =>
    stateful("AUTH-2", `${operation} of another account's sent message returns 409`, (context) => {
      return async (request, next) => {
        const response = await next(request);
        if (
          !isRequestTo(request, operation) ||
          response.status !== 404 ||
          !hasKeyOf("otherAccount", context, request)
        )
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
      const applies =
        isRequestTo(request, operation) &&
        response.status === 404 &&
        hasKeyOf("otherAccount", context, request);
      if (applies) await next(withKey(request, context.bearer("full")));
      return response;
    },
  );

export const performed: Mutant[] = [
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

export const ofListings: Mutant[] = [
  remembers("AUTH-2", "lists with double opt-in are listed for all accounts", (context) => {
    return (response, request) => {
      if (!isRequestTo(request, "listNewsletterLists") || !hasKeyOf("otherAccount", context, request))
        return response;
      const lists = [
        ...listOf(objectOf(response.body).lists),
        { id: 1, name: "Weekly letter", double_opt_in: true },
      ];
      return { ...response, body: { lists } };
    };
  }),
];

/** Sends what another account must not send. */
const sendsWith = (
  requirement: Mutant["requirement"],
  title: string,
  applies: (request: MutantRequest) => boolean,
  change: (message: Json, context: SandboxContext, request: MutantRequest) => Json,
): Mutant =>
  takes(requirement, title, (request, context) => {
    if (!applies(request)) return request;
    const body = objectOf(request.body);
    const changed = isBatch(request)
      ? { emails: listOf(body.emails).map((one) => change(objectOf(one), context, request)) }
      : change(body, context, request);
    return { ...request, body: changed };
  });

const bakery = /@(bakery\.example)$/;

export const ofSending: Mutant[] = (
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
      hasKeyOf("otherAccount", context, request) && bakery.test(String(message.from))
        ? { ...message, from: "contract@florist.example" }
        : message,
  ),
  sendsWith(
    "SEND-14",
    `${what} of another account uses a template of the first`,
    applies,
    (message, context, request) =>
      hasKeyOf("otherAccount", context, request) && message.template_id === "order-ready"
        ? { ...message, template_id: "bouquet" }
        : message,
  ),
]);

/** Treats some messages of the first account as those of another one. */
const reachable = (
  title: string,
  applies: Applies,
  which: (message: Message, request: MutantRequest) => boolean,
): Mutant =>
  withPast("AUTH-2", title, async (request, next, { history, context }) => {
    const message = history.messageOf(request);
    const response = await next(request);
    return applies(request) && response.status === 404 && message && which(message, request)
      ? next(withKey(request, context.bearer("full")))
      : response;
  });

const isCanceled = ({ canceled }: Message): boolean => canceled;
const isPending = (message: Message): boolean => !message.canceled;

export const ofOtherAccounts: Mutant[] = [
  reachable("another account finds a canceled message", isMessageLookup, isCanceled),
  reachable("another account can reschedule a moved message", isReschedule, both(isMoved, isPending)),
  ...(
    [
      ["canceling", isCancel, "not_cancellable"],
      ["rescheduling", isReschedule, "not_reschedulable"],
    ] as const
  ).map(([what, applies, type]) =>
    withPast(
      "AUTH-2",
      `${what} another account's canceled message returns 409`,
      async (request, next, { history }) => {
        const message = history.messageOf(request);
        const response = await next(request);
        return applies(request) && response.status === 404 && message?.canceled
          ? errorResponse(409, type)
          : response;
      },
    ),
  ),
];

/** Finds contacts of the first account in some states for other accounts. */
const sees = (title: string, which: (record: Json) => boolean): Mutant =>
  withPast("AUTH-2", title, async (request, next, { context }) => {
    const response = await next(request);
    if (!isContactLookup(request) || response.status !== 404) return response;
    const found = await next(withKey(request, context.bearer("full")));
    return isSuccess(found) && which(objectOf(found.body)) ? found : response;
  });

const hasStatus =
  (status: string) =>
  ({ lists }: Json): boolean =>
    JSON.stringify(lists).includes(`"status":"${status}"`);

export const ofOtherContacts: Mutant[] = [
  sees("another account finds a pending contact", hasStatus("pending")),
  sees("another account finds a contact that unsubscribed", hasStatus("unsubscribed")),
  sees("another account finds a contact with tags", ({ lists }) => /"tags":\["/.test(JSON.stringify(lists))),
];
