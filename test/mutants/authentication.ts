import { changeRequests, type Mutant, type MutantRequest, respondInstead } from "./mutant.ts";
import { errorResponse, objectOf } from "./newsletter.ts";
import {
  isRequestTo,
  messagesIn,
  mistakes,
  mistakesKey,
  rejectsKey,
  withKey,
  withMessages,
} from "./requests.ts";

const hasNoKey = ({ headers }: MutantRequest): boolean => headers.authorization === undefined;

/** A fault that takes some keys for the main one. */
const letsIn = (
  requirement: Mutant["requirement"],
  title: string,
  applies: (request: MutantRequest, full: string) => boolean,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    (request, next) =>
      next(applies(request, bearer("full")) ? withKey(request, bearer("full")) : request),
});

const isMadeUp = ({ headers: { authorization = "" } }: MutantRequest): boolean =>
  authorization.startsWith("Bearer contract_unknown_");

const noKey: Mutant[] = [
  changeRequests("AUTH-1", "custom fields are read without looking at the bearer token", (request) =>
    isRequestTo(request, "listCustomFields")
      ? { ...request, headers: { ...request.headers, authorization: "" } }
      : undefined,
  ),
  letsIn(
    "AUTH-12",
    "lists are read without a key",
    (request) => hasNoKey(request) && isRequestTo(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-12",
    "a message is sent without a key",
    (request) => hasNoKey(request) && isRequestTo(request, "sendEmail"),
  ),
  letsIn(
    "AUTH-12",
    "an empty bearer token is let in",
    ({ headers }) => headers.authorization?.trim() === "Bearer",
  ),
  respondInstead("AUTH-12", "a call without a key is answered 403 forbidden", (request) =>
    hasNoKey(request) ? errorResponse(403, "forbidden") : undefined,
  ),
  respondInstead("AUTH-12", "getMe without a key is answered 404", (request) =>
    hasNoKey(request) && isRequestTo(request, "getMe") ? errorResponse(404, "not_found") : undefined,
  ),
  letsIn(
    "AUTH-13",
    "a key that was never issued reads lists",
    (request) => isMadeUp(request) && isRequestTo(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-13",
    "only the beginning of a key is compared",
    ({ headers }, full) => headers.authorization?.startsWith(full) === true,
  ),
  respondInstead("AUTH-13", "a key that was never issued is answered 400 invalid_request", (request) =>
    isMadeUp(request) ? errorResponse(400, "invalid_request") : undefined,
  ),
  mistakes(
    "AUTH-13",
    "a foreign key is answered with an error type of its own",
    "401 unauthorized",
    "401 unknown_key",
    isMadeUp,
  ),
  mistakesKey("AUTH-14", "a revoked key works on", { from: "revoked", to: "full" }),
  mistakesKey("AUTH-14", "a revoked key still cancels messages", {
    from: "revoked",
    to: "full",
    on: ["cancelEmail"],
  }),
  rejectsKey("AUTH-14", "a revoked key is answered 403 forbidden", { from: "revoked" }, () =>
    errorResponse(403, "forbidden"),
  ),
  rejectsKey("AUTH-7", "a replaced key stops at once", { from: "replaced" }, () =>
    errorResponse(401, "unauthorized"),
  ),
  mistakesKey("AUTH-7", "a replaced key works on for good", { from: "replaced", to: "full" }),
];

const other = { from: "otherAccount", to: "full" } as const;

const ofAccounts: Mutant[] = [
  mistakesKey("AUTH-2", "messages of other accounts can be looked up", { ...other, on: ["getEmail"] }),
  mistakesKey("AUTH-2", "messages of other accounts can be rescheduled", {
    ...other,
    on: ["rescheduleEmail"],
  }),
  mistakesKey("AUTH-2", "messages of other accounts can be canceled", { ...other, on: ["cancelEmail"] }),
  mistakesKey("AUTH-2", "contacts of other accounts can be looked up", { ...other, on: ["getContact"] }),
  mistakesKey("AUTH-2", "contacts of other accounts can be unsubscribed", {
    ...other,
    on: ["unsubscribeContact"],
  }),
  mistakesKey("AUTH-2", "lists of other accounts take contacts", { ...other, on: ["upsertContact"] }),
  mistakesKey("AUTH-2", "lists of all accounts are told", { ...other, on: ["listNewsletterLists"] }),
  rejectsKey(
    "AUTH-2",
    "a message of another account is answered 403 forbidden",
    { from: "otherAccount", on: ["getEmail"] },
    () => errorResponse(403, "forbidden"),
  ),
  {
    requirement: "AUTH-2",
    title: "whoever leaves one account leaves all",
    intercept:
      ({ bearer }) =>
      async (request, next) => {
        const response = await next(request);
        const isLeaving = isRequestTo(request, "unsubscribeContact") && response.status === 200;
        if (isLeaving) await next({ ...withKey(request, bearer("full")), body: {} });
        return response;
      },
  },
  rejectsKey("AUTH-4", "an account has one key", { from: "second" }, () =>
    errorResponse(401, "unauthorized"),
  ),
  rejectsKey(
    "AUTH-4",
    "a key sees only the messages that it sent itself",
    { from: "second", on: ["getEmail"] },
    () => errorResponse(404, "not_found"),
  ),
  rejectsKey(
    "AUTH-4",
    "a key sees only the contacts that it added itself",
    { from: "second", on: ["getContact"] },
    () => errorResponse(404, "not_found"),
  ),
];

/** A fault that lets messages out that may not be sent from where they come from. */
const sendsFrom = (
  requirement: Mutant["requirement"],
  title: string,
  applies: (domain: string, request: MutantRequest) => boolean,
): Mutant =>
  changeRequests(requirement, title, (request) =>
    messagesIn(request).length === 0
      ? undefined
      : withMessages(request, (message) => {
          const domain = String(message.from).split("@")[1] ?? "";
          return applies(domain, request) ? { ...message, from: "contract@bakery.example" } : message;
        }),
  );

/** Whether a request sends a message from some domain. */
const comesFrom = (request: MutantRequest, domain: string | RegExp): boolean =>
  messagesIn(request).some(({ from }) => {
    const name = String(from).split("@")[1] ?? "";
    return typeof domain === "string" ? name === domain : domain.test(name);
  });

const nobodys = /^nobody-/;
const restricted = { from: "restricted", to: "full" } as const;

const ofSenders: Mutant[] = [
  mistakesKey("AUTH-5", "a restricted key sends from every domain of its account", {
    ...restricted,
    on: ["sendEmail"],
  }),
  mistakesKey("AUTH-5", "a restricted key sends batches from every domain of its account", {
    ...restricted,
    on: ["sendBatch"],
  }),
  {
    requirement: "AUTH-5",
    title: "of a batch, only the first sender is held against the restriction",
    intercept:
      ({ bearer }) =>
      (request, next) => {
        const [first] = messagesIn(request);
        const applies =
          request.headers.authorization === bearer("restricted") &&
          isRequestTo(request, "sendBatch") &&
          String(objectOf(first).from).endsWith("@shop.bakery.example");
        return next(applies ? withKey(request, bearer("full")) : request);
      },
  },
  rejectsKey("AUTH-5", "a restricted key sends from nowhere", { from: "restricted" }, () =>
    errorResponse(403, "send_rejected"),
  ),
  mistakes(
    "AUTH-17",
    "a restricted key is answered 422 for another domain",
    "403 send_rejected",
    "422 send_rejected",
    (request) => comesFrom(request, "bakery.example"),
  ),
  sendsFrom("AUTH-17", "a message is sent from a domain that nobody has", (domain) => nobodys.test(domain)),
  sendsFrom(
    "AUTH-17",
    "a message is sent from a domain of another account",
    (domain) => domain === "florist.example",
  ),
  sendsFrom(
    "AUTH-17",
    "a batch is sent from a domain that nobody has",
    (domain, request) => nobodys.test(domain) && isRequestTo(request, "sendBatch"),
  ),
  mistakes(
    "AUTH-17",
    "a send from a foreign domain is answered 403 forbidden",
    "403 send_rejected",
    "403 forbidden",
    (request) => comesFrom(request, nobodys),
  ),
  mistakesKey("AUTH-19", "an account without a domain sends all the same", { from: "noDomain", to: "full" }),
  rejectsKey(
    "AUTH-19",
    "a batch of an account without a domain is taken",
    { from: "noDomain", on: ["sendBatch"] },
    (request) => ({
      ...errorResponse(200, ""),
      body: { data: messagesIn(request).map((_, index) => ({ id: `sched_${index}`, suppressed: [] })) },
    }),
  ),
];

export const authenticationMutants: Mutant[] = [...noKey, ...ofAccounts, ...ofSenders];
