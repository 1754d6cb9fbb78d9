import { calls, messagesIn, mistakes, takesFor, turnsAway, withKey, withMessages } from "./calls.ts";
import { type Fault, type FaultRequest, inRequests, instead } from "./fault.ts";
import { objectOf, refusal } from "./newsletter.ts";

const hasNoKey = ({ headers }: FaultRequest): boolean => headers.authorization === undefined;

/** A fault that takes some keys for the main one. */
const letsIn = (
  breaks: Fault["breaks"],
  title: string,
  isMeant: (request: FaultRequest, full: string) => boolean,
): Fault => ({
  breaks,
  title,
  between:
    ({ bearer }) =>
    (request, next) =>
      next(isMeant(request, bearer("full")) ? withKey(request, bearer("full")) : request),
});

const isMadeUp = ({ headers: { authorization = "" } }: FaultRequest): boolean =>
  authorization.startsWith("Bearer contract_unknown_");

const noKey: Fault[] = [
  inRequests("AUTH-1", "custom fields are read without looking at the bearer token", (request) =>
    calls(request, "listCustomFields")
      ? { ...request, headers: { ...request.headers, authorization: "" } }
      : undefined,
  ),
  letsIn(
    "AUTH-12",
    "lists are read without a key",
    (request) => hasNoKey(request) && calls(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-12",
    "a message is sent without a key",
    (request) => hasNoKey(request) && calls(request, "sendEmail"),
  ),
  letsIn(
    "AUTH-12",
    "an empty bearer token is let in",
    ({ headers }) => headers.authorization?.trim() === "Bearer",
  ),
  instead("AUTH-12", "a call without a key is answered 403 forbidden", (request) =>
    hasNoKey(request) ? refusal(403, "forbidden") : undefined,
  ),
  instead("AUTH-12", "getMe without a key is answered 404", (request) =>
    hasNoKey(request) && calls(request, "getMe") ? refusal(404, "not_found") : undefined,
  ),
  letsIn(
    "AUTH-13",
    "a key that was never issued reads lists",
    (request) => isMadeUp(request) && calls(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-13",
    "only the beginning of a key is compared",
    ({ headers }, full) => headers.authorization?.startsWith(full) === true,
  ),
  instead("AUTH-13", "a key that was never issued is answered 400 invalid_request", (request) =>
    isMadeUp(request) ? refusal(400, "invalid_request") : undefined,
  ),
  mistakes(
    "AUTH-13",
    "a foreign key is answered with an error type of its own",
    "401 unauthorized",
    "401 unknown_key",
    isMadeUp,
  ),
  takesFor("AUTH-14", "a revoked key works on", { from: "revoked", to: "full" }),
  takesFor("AUTH-14", "a revoked key still cancels messages", {
    from: "revoked",
    to: "full",
    on: ["cancelEmail"],
  }),
  turnsAway("AUTH-14", "a revoked key is answered 403 forbidden", { from: "revoked" }, () =>
    refusal(403, "forbidden"),
  ),
  turnsAway("AUTH-7", "a replaced key stops at once", { from: "replaced" }, () =>
    refusal(401, "unauthorized"),
  ),
  takesFor("AUTH-7", "a replaced key works on for good", { from: "replaced", to: "full" }),
];

const other = { from: "otherAccount", to: "full" } as const;

const ofAccounts: Fault[] = [
  takesFor("AUTH-2", "messages of other accounts can be looked up", { ...other, on: ["getEmail"] }),
  takesFor("AUTH-2", "messages of other accounts can be rescheduled", { ...other, on: ["rescheduleEmail"] }),
  takesFor("AUTH-2", "messages of other accounts can be canceled", { ...other, on: ["cancelEmail"] }),
  takesFor("AUTH-2", "contacts of other accounts can be looked up", { ...other, on: ["getContact"] }),
  takesFor("AUTH-2", "contacts of other accounts can be unsubscribed", {
    ...other,
    on: ["unsubscribeContact"],
  }),
  takesFor("AUTH-2", "lists of other accounts take contacts", { ...other, on: ["upsertContact"] }),
  takesFor("AUTH-2", "lists of all accounts are told", { ...other, on: ["listNewsletterLists"] }),
  turnsAway(
    "AUTH-2",
    "a message of another account is answered 403 forbidden",
    { from: "otherAccount", on: ["getEmail"] },
    () => refusal(403, "forbidden"),
  ),
  {
    breaks: "AUTH-2",
    title: "whoever leaves one account leaves all",
    between:
      ({ bearer }) =>
      async (request, next) => {
        const answer = await next(request);
        const isLeaving = calls(request, "unsubscribeContact") && answer.status === 200;
        if (isLeaving) await next({ ...withKey(request, bearer("full")), body: {} });
        return answer;
      },
  },
  turnsAway("AUTH-4", "an account has one key", { from: "second" }, () => refusal(401, "unauthorized")),
  turnsAway(
    "AUTH-4",
    "a key sees only the messages that it sent itself",
    { from: "second", on: ["getEmail"] },
    () => refusal(404, "not_found"),
  ),
  turnsAway(
    "AUTH-4",
    "a key sees only the contacts that it added itself",
    { from: "second", on: ["getContact"] },
    () => refusal(404, "not_found"),
  ),
];

/** A fault that lets messages out that may not be sent from where they come from. */
const sendsFrom = (
  breaks: Fault["breaks"],
  title: string,
  isMeant: (domain: string, request: FaultRequest) => boolean,
): Fault =>
  inRequests(breaks, title, (request) =>
    messagesIn(request).length === 0
      ? undefined
      : withMessages(request, (message) => {
          const domain = String(message.from).split("@")[1] ?? "";
          return isMeant(domain, request) ? { ...message, from: "contract@bakery.example" } : message;
        }),
  );

/** Whether a request sends a message from some domain. */
const comesFrom = (request: FaultRequest, domain: string | RegExp): boolean =>
  messagesIn(request).some(({ from }) => {
    const name = String(from).split("@")[1] ?? "";
    return typeof domain === "string" ? name === domain : domain.test(name);
  });

const nobodys = /^nobody-/;
const restricted = { from: "restricted", to: "full" } as const;

const ofSenders: Fault[] = [
  takesFor("AUTH-5", "a restricted key sends from every domain of its account", {
    ...restricted,
    on: ["sendEmail"],
  }),
  takesFor("AUTH-5", "a restricted key sends batches from every domain of its account", {
    ...restricted,
    on: ["sendBatch"],
  }),
  {
    breaks: "AUTH-5",
    title: "of a batch, only the first sender is held against the restriction",
    between:
      ({ bearer }) =>
      (request, next) => {
        const [first] = messagesIn(request);
        const isMeant =
          request.headers.authorization === bearer("restricted") &&
          calls(request, "sendBatch") &&
          String(objectOf(first).from).endsWith("@shop.bakery.example");
        return next(isMeant ? withKey(request, bearer("full")) : request);
      },
  },
  turnsAway("AUTH-5", "a restricted key sends from nowhere", { from: "restricted" }, () =>
    refusal(403, "send_rejected"),
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
    (domain, request) => nobodys.test(domain) && calls(request, "sendBatch"),
  ),
  mistakes(
    "AUTH-17",
    "a send from a foreign domain is answered 403 forbidden",
    "403 send_rejected",
    "403 forbidden",
    (request) => comesFrom(request, nobodys),
  ),
  takesFor("AUTH-19", "an account without a domain sends all the same", { from: "noDomain", to: "full" }),
  turnsAway(
    "AUTH-19",
    "a batch of an account without a domain is taken",
    { from: "noDomain", on: ["sendBatch"] },
    (request) => ({
      ...refusal(200, ""),
      body: { data: messagesIn(request).map((_, index) => ({ id: `sched_${index}`, suppressed: [] })) },
    }),
  ),
];

export const authenticationFaults: Fault[] = [...noKey, ...ofAccounts, ...ofSenders];
