import { stateful } from "./email.ts";
import { type Mutant, type MutantRequest, type MutantResponse, remembers } from "./mutant.ts";
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
import {
  hasKeyOf,
  isError,
  isRequestTo,
  sentMessages,
  withFields,
  withHeaders,
  withKey,
} from "./requests.ts";
import { asReplay, keyedRequests } from "./same-key.ts";

const header = "idempotency-key";
const left = "x-ratelimit-remaining";
const allowance = "x-service-monthly-remaining";
const allowed = "x-service-monthly-quota";
const minute = 60_000;
/** A quota that the sends of a run do not use up. */
const plenty = 5000;

const textOf = ({ path, body }: MutantRequest): string => `${path} ${JSON.stringify(body)}`;

/** Idempotency keys that accounts share; the keys of one account do not. */
export const ofKeys: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
  stateful("IDEM-6", `${what} of another account with the same body is a replay`, ({ bearer }) => {
    const first = new Map<string, { text: string; response: MutantResponse }>();
    return async (request, next) => {
      const { [header]: key, authorization } = request.headers;
      if (!applies(request) || key === undefined) return next(request);
      const known = first.get(key);
      const isOther = authorization === bearer("otherAccount");
      if (isOther && known?.text === textOf(request)) return asReplay(known.response);
      const response = await next(request);
      if (isSuccess(response)) first.set(key, { text: textOf(request), response });
      return response;
    };
  }),
  stateful("IDEM-6", `${what} of another account with another body is a conflict`, ({ bearer }) => {
    const first = new Map<string, string>();
    return async (request, next) => {
      const { [header]: key, authorization } = request.headers;
      if (!applies(request) || key === undefined) return next(request);
      const known = first.get(key) ?? textOf(request);
      first.set(key, known);
      return authorization === bearer("otherAccount") && known !== textOf(request)
        ? errorResponse(409, "idempotency_conflict")
        : next(request);
    };
  }),
]);

const takesFromFull = (
  requirement: Mutant["requirement"],
  title: string,
  name: string,
  used: (request: MutantRequest, response: MutantResponse) => number,
): Mutant =>
  remembers(requirement, title, ({ bearer }) => {
    let sum = 0;
    return (response, request) => {
      if (request.headers.authorization === bearer("otherAccount")) sum += used(request, response);
      const told = response.headers[name];
      const applies = told !== undefined && request.headers.authorization === bearer("full");
      return applies ? withHeaders(response, { [name]: String(Number(told) - sum) }) : response;
    };
  });

export const ofLimits: Mutant[] = [
  takesFromFull("LIMIT-2", "newsletter requests of another account use up the rate limit", left, (request) =>
    isRequestTo(request, "newsletter") ? 1 : 0,
  ),
  stateful("LIMIT-1", "an exhausted rate limit applies to all accounts", ({ now }) => {
    let until = 0;
    return async (request, next) => {
      if (now() < until)
        return withHeaders(errorResponse(429, "rate_limited"), {
          "retry-after": String(Math.ceil((until - now()) / 1000)),
        });
      const response = await next(request);
      if (isError(response, 429, "rate_limited")) until = now() + minute;
      return response;
    };
  }),
  remembers("LIMIT-5", "sends of all accounts count toward each quota", ({ bearer }) => {
    let sum = 0;
    return (response, request) => {
      const isOfQuota = request.headers.authorization === bearer("quota");
      if (!isOfQuota && isSuccess(response) && isRequestTo(request, "sendEmail"))
        sum += sentMessages(request).filter(({ scheduled_at }) => scheduled_at === undefined).length;
      const told = response.headers[allowance];
      if (told === undefined || !isOfQuota) return response;
      const quota = Number(response.headers[allowed]) + plenty;
      return withHeaders(response, {
        [allowed]: String(quota),
        [allowance]: String(Number(told) + plenty - sum),
      });
    };
  }),
];

/** Changes responses about a contact that both accounts have. */
const shared = (
  title: string,
  change: (one: Json, other: Json) => Json,
  side: "full" | "otherAccount" = "otherAccount",
): Mutant =>
  remembers("AUTH-2", title, ({ bearer }) => {
    const known = { full: new Map<string, Json>(), otherAccount: new Map<string, Json>() };
    return (response, request) => {
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
      return withFields(response, { lists });
    };
  });

export const ofContacts: Mutant[] = [
  shared("another account sees the last name that the first gave a contact", (one, other) => ({
    ...one,
    last_name: one.last_name ?? other.last_name,
  })),
  shared(
    "the first account sees the tags that the other gave a contact",
    (one, other) => ({ ...one, tags: [...new Set([...listOf(one.tags), ...listOf(other.tags)])] }),
    "full",
  ),
];

const alsoIn = (title: string, from: "full" | "otherAccount", to: "full" | "otherAccount"): Mutant =>
  stateful("AUTH-2", title, ({ bearer }) => async (request, next) => {
    const response = await next(request);
    const applies = isUnsubscribe(request) && isSuccess(response);
    if (applies && request.headers.authorization === bearer(from))
      await next({ ...withKey(request, bearer(to)), body: {} });
    return response;
  });

export const ofMemberships: Mutant[] = [
  alsoIn("unsubscribing from the first account unsubscribes from the others", "full", "otherAccount"),
  remembers("AUTH-2", "a contact that left another account is not subscribed", (context) => {
    const left = new Set<string>();
    return (response, request) => {
      if (isUnsubscribe(request) && hasKeyOf("full", context, request)) left.add(emailOf(request));
      return isUpsert(request) &&
        response.status === 201 &&
        left.has(emailOf(request)) &&
        hasKeyOf("otherAccount", context, request)
        ? withFields(response, { status: "unsubscribed" })
        : response;
    };
  }),
];
