import { operations } from "../../generated/operations.ts";
import type { Interceptor, Mutant, MutantRequest, MutantResponse, SandboxContext } from "./mutant.ts";
import { errorResponse, isSuccess, objectOf } from "./newsletter.ts";
import { isError, isRequestTo, messagesIn, mistakes, operationOf, withHeaders, withKey } from "./requests.ts";

const left = "x-ratelimit-remaining";
const allowance = "x-service-monthly-remaining";
const minute = 60_000;

/** The counted requests of a key or an account in the last minute. */
function counter(now: () => number): (name: string) => number {
  const times = new Map<string, number[]>();
  return (name) => {
    const own = (times.get(name) ?? []).filter((time) => time > now() - minute);
    own.push(now());
    times.set(name, own);
    return own.length;
  };
}

/** A 429 rate_limited. */
const tooMany = (wait = 60): MutantResponse =>
  withHeaders(errorResponse(429, "rate_limited"), { "retry-after": String(wait) });

/** Responds although the rate limit is exhausted, as an account with a higher limit. */
async function letIn(
  request: MutantRequest,
  next: Parameters<Interceptor>[1],
  { bearer }: SandboxContext,
): Promise<MutantResponse> {
  const response = await next(request);
  if (!isError(response, 429, "rate_limited")) return response;
  const other = { ...withKey(request, bearer("full")), method: "GET", path: "/api/v1/me", body: undefined };
  return withHeaders(await next(other), { [left]: "0" });
}

/** Counts requests under some name and reports the remaining ones accordingly. */
const countsBy = (
  requirement: Mutant["requirement"],
  title: string,
  nameOf: (request: MutantRequest) => string,
): Mutant => ({
  requirement,
  title,
  intercept: ({ now }) => {
    const count = counter(now);
    return async (request, next) => {
      const response = await next(request);
      if (response.headers[left] === undefined) return response;
      const made = count(nameOf(request));
      return withHeaders(response, { [left]: String(Number(response.headers["x-ratelimit-limit"]) - made) });
    };
  },
});

const productOf = (request: MutantRequest): string => {
  const operation = operationOf(request);
  return operation === undefined ? "none" : (operations[operation].product ?? "account");
};
const keyOf = ({ headers }: MutantRequest): string => headers.authorization ?? "";

const ofRequests: Mutant[] = [
  mistakes("LIMIT-1", "a request beyond the rate limit returns 403", "429 rate_limited", "403 rate_limited"),
  {
    requirement: "LIMIT-1",
    title: "the rate limit never resets",
    intercept: () => {
      let limitedKey = "";
      return async (request, next) => {
        if (limitedKey !== "" && keyOf(request) === limitedKey) return tooMany();
        const response = await next(request);
        if (isError(response, 429, "rate_limited")) limitedKey = keyOf(request);
        return response;
      };
    },
  },
  countsBy("LIMIT-2", "every key has its own rate limit", keyOf),
  countsBy(
    "LIMIT-3",
    "every product has its own rate limit",
    (request) => `${keyOf(request)} ${productOf(request)}`,
  ),
  {
    requirement: "LIMIT-3",
    title: "newsletter requests ignore the rate limit",
    intercept: (context) => (request, next) =>
      isRequestTo(request, "newsletter") ? letIn(request, next, context) : next(request),
  },
];

/** Reports fewer remaining requests or quota, by what requests used too much. */
const takesMore = (
  requirement: Mutant["requirement"],
  title: string,
  name: string,
  tooMuch: (request: MutantRequest, response: MutantResponse) => number,
): Mutant => ({
  requirement,
  title,
  intercept: ({ bearer }) => {
    const taken = new Map<string, number>();
    const isOwn = ["second", "sendOnly", "replaced", "restricted", "readOnly", "manageOnly"] as const;
    const account = (request: MutantRequest): string =>
      isOwn.some((role) => bearer(role) === keyOf(request)) ? bearer("full") : keyOf(request);
    return async (request, next) => {
      const response = await next(request);
      const sum = (taken.get(account(request)) ?? 0) + (isSuccess(response) ? tooMuch(request, response) : 0);
      taken.set(account(request), sum);
      const told = response.headers[name];
      return told === undefined ? response : withHeaders(response, { [name]: String(Number(told) - sum) });
    };
  },
});

const isLater = ({ body }: MutantRequest): boolean => objectOf(body).scheduled_at !== undefined;
const many = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** The recipients in these properties of an immediate send. */
const recipientsIn = (request: MutantRequest, ...fields: string[]): number =>
  isRequestTo(request, "sendEmail") && !isLater(request)
    ? messagesIn(request).reduce(
        (sum, message) => sum + fields.reduce((all, field) => all + many(message[field]), 0),
        0,
      )
    : 0;

const isSimulated = (address: unknown): boolean => String(address).endsWith("@simulator.example");

const ofBatches: Mutant[] = [
  takesMore("LIMIT-4", "every message of a batch counts as a request", left, (request) =>
    isRequestTo(request, "sendBatch") ? messagesIn(request).length - 1 : 0,
  ),
  takesMore("LIMIT-4", "a batch counts as two requests", left, (request) =>
    isRequestTo(request, "sendBatch") ? 1 : 0,
  ),
];

const ofAllowance: Mutant[] = [
  takesMore(
    "LIMIT-5",
    "recipients in bcc do not count toward the quota",
    allowance,
    (request) => -recipientsIn(request, "bcc"),
  ),
  takesMore("SIM-6", "simulated recipients do not count toward the quota", allowance, (request) =>
    isRequestTo(request, "sendEmail") && !isLater(request)
      ? -messagesIn(request).reduce(
          (sum, { to }) => sum + (Array.isArray(to) ? to.filter(isSimulated).length : 0),
          0,
        )
      : 0,
  ),
];

const ofCeiling: Mutant[] = [
  mistakes(
    "LIMIT-7",
    "a batch at the sending ceiling returns 402",
    "429 send_rejected",
    "402 no_plan",
    (request) => isRequestTo(request, "sendBatch"),
  ),
];

export const limitsMutants: Mutant[] = [...ofRequests, ...ofBatches, ...ofAllowance, ...ofCeiling];
