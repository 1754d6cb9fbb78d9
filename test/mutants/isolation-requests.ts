import { stateful } from "./email.ts";
import type { Mutant, MutantRequest, MutantResponse } from "./mutant.ts";
import { errorResponse, isSuccess } from "./newsletter.ts";
import { isError, isRequestTo, messagesIn, withHeaders } from "./requests.ts";
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
const ofKeys: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
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
  stateful(requirement, title, ({ bearer }) => {
    let sum = 0;
    return async (request, next) => {
      const response = await next(request);
      if (request.headers.authorization === bearer("otherAccount")) sum += used(request, response);
      const told = response.headers[name];
      const applies = told !== undefined && request.headers.authorization === bearer("full");
      return applies ? withHeaders(response, { [name]: String(Number(told) - sum) }) : response;
    };
  });

const ofLimits: Mutant[] = [
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
  stateful("LIMIT-5", "sends of all accounts count toward each quota", ({ bearer }) => {
    let sum = 0;
    return async (request, next) => {
      const response = await next(request);
      const isOfQuota = request.headers.authorization === bearer("quota");
      if (!isOfQuota && isSuccess(response) && isRequestTo(request, "sendEmail"))
        sum += messagesIn(request).filter(({ scheduled_at }) => scheduled_at === undefined).length;
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

export const isolationRequestMutants: Mutant[] = [...ofKeys, ...ofLimits];
