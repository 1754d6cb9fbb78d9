import { changeResponses, type Mutant, type MutantRequest, type MutantResponse } from "./mutant.ts";
import { isSuccess, objectOf } from "./newsletter.ts";
import { isError, isRequestTo, withHeaders } from "./requests.ts";

const id = "x-service-request-id";
const quota = "x-service-monthly-quota";
const allowance = "x-service-monthly-remaining";
const limit = "x-ratelimit-limit";
const left = "x-ratelimit-remaining";

type IsMeant = (response: MutantResponse, request: MutantRequest) => boolean;

/** Changes or removes a header. */
const inHeader = (
  requirement: Mutant["requirement"],
  title: string,
  name: string,
  change: (value: string) => string | undefined,
  applies: IsMeant = () => true,
): Mutant =>
  changeResponses(requirement, title, (response, request) => {
    const value = response.headers[name];
    return value === undefined || !applies(response, request)
      ? undefined
      : withHeaders(response, { [name]: change(value) });
  });

const gone = () => undefined;
const isLater: IsMeant = (_, { body }) => objectOf(body).scheduled_at !== undefined;
const isScheduled: IsMeant = (response, request) =>
  isRequestTo(request, "sendEmail") && isLater(response, request);
const on =
  (...operations: Parameters<typeof isRequestTo>[1][]): IsMeant =>
  (_, request) =>
    isRequestTo(request, ...operations);
const isLimited: IsMeant = (response) => isError(response, 429, "rate_limited");

/** Adds the quota headers to responses that have none. */
const tellsAllowance = (title: string, applies: IsMeant): Mutant =>
  changeResponses("HEAD-5", title, (response, request) =>
    isSuccess(response) && applies(response, request)
      ? withHeaders(response, { [quota]: "10000", [allowance]: "9000" })
      : undefined,
  );

const ofRequestId: Mutant[] = [
  inHeader("HEAD-1", "a 404 has no request id header", id, gone, ({ status }) => status === 404),
  inHeader("HEAD-1", "a 401 has no request id header", id, gone, ({ status }) => status === 401),
  inHeader("HEAD-1", "lists have no request id", id, gone, on("listNewsletterLists")),
  inHeader("HEAD-1", "a canceled message has no request id", id, gone, on("cancelEmail")),
  inHeader(
    "HEAD-1",
    "a 405 has an empty request id",
    id,
    () => "",
    ({ status }) => status === 405,
  ),
  {
    requirement: "HEAD-1",
    title: "the request id is in X-Request-Id",
    intercept: () => async (request, next) => {
      const response = await next(request);
      return isSuccess(response)
        ? withHeaders(response, { [id]: undefined, "x-request-id": response.headers[id] })
        : response;
    },
  },
  inHeader("HEAD-2", "every response has the same request id", id, () => "req_1", isSuccess),
  inHeader(
    "HEAD-2",
    "the request id is the same for a connection",
    id,
    (value) => value.slice(0, 8),
    isSuccess,
  ),
  {
    requirement: "HEAD-2",
    title: "a replay has the request id of the original response",
    intercept: () => {
      const ids = new Map<string, string>();
      return async (request, next) => {
        const response = await next(request);
        const key = request.headers["idempotency-key"];
        const own = response.headers[id];
        if (key === undefined || own === undefined) return response;
        const name = `${request.path} ${key}`;
        if (response.headers["idempotent-replayed"] === "true")
          return withHeaders(response, { [id]: ids.get(name) ?? own });
        ids.set(name, own);
        return response;
      };
    },
  },
];

const ofAllowance: Mutant[] = [
  inHeader("HEAD-3", "a batch reports no monthly quota", quota, gone, on("sendBatch")),
  inHeader("HEAD-3", "a send reports no monthly quota", quota, gone, on("sendEmail")),
  inHeader("HEAD-3", "a scheduled send reports no monthly quota", quota, gone, isScheduled),
  inHeader("HEAD-3", "the monthly quota is a word", quota, () => "unlimited"),
  inHeader("HEAD-4", "a batch does not report the remaining quota", allowance, gone, on("sendBatch")),
  inHeader("HEAD-4", "a send does not report the remaining quota", allowance, gone, on("sendEmail")),
  inHeader("HEAD-4", "a scheduled send does not report the remaining quota", allowance, gone, isScheduled),
  inHeader("HEAD-4", "the remaining quota is a percentage", allowance, () => "0.97"),
  tellsAllowance("lookups report the quota", on("getEmail")),
  tellsAllowance("newsletter requests report the quota", on("newsletter")),
  tellsAllowance("canceling reports the quota", on("cancelEmail")),
  tellsAllowance("GET /me reports the quota", on("getMe")),
];

/** Changes the remaining requests, possibly depending on earlier values. */
const counts = (title: string, change: (told: number, before: number, most: number) => number): Mutant => ({
  requirement: "HEAD-7",
  title,
  intercept: () => {
    const before = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      const told = response.headers[left];
      if (told === undefined) return response;
      const account = response.headers[limit] ?? "";
      const other = change(Number(told), before.get(account) ?? Number(told), Number(account));
      before.set(account, other);
      return withHeaders(response, { [left]: String(other) });
    };
  },
});

const ofRequests: Mutant[] = [
  inHeader("HEAD-6", "newsletter requests report no rate limit", limit, gone, on("newsletter")),
  inHeader("HEAD-6", "canceling reports no rate limit", limit, gone, on("cancelEmail")),
  inHeader("HEAD-6", "GET /me reports no rate limit", limit, gone, on("getMe")),
  inHeader("HEAD-6", "the rate limit includes its window", limit, (value) => `${value}, ${value};w=60`),
  inHeader("HEAD-6", "the rate limit is per hour", limit, (value) => String(60 * Number(value))),
  inHeader(
    "HEAD-7",
    "an unsubscribe does not report the remaining requests",
    left,
    gone,
    on("unsubscribeContact"),
  ),
  inHeader("HEAD-7", "a send does not report the remaining requests", left, gone, on("sendEmail")),
  inHeader("HEAD-7", "the remaining requests have a unit", left, (value) => `${value} left`),
  inHeader("HEAD-7", "the used requests are reported instead of the remaining ones", left, (value) =>
    String(100_000 - Number(value)),
  ),
  counts("the remaining requests never decrease", (_, before) => before),
  counts("every request decreases the remaining requests by two", (_, before) => before - 2),
  inHeader("HEAD-7", "the remaining requests are rounded to tens", left, (value) =>
    value.replace(/\d$/, "0"),
  ),
];

const ofWaiting: Mutant[] = [
  inHeader("HEAD-8", "a 429 has no Retry-After", "retry-after", gone, isLimited),
  inHeader(
    "HEAD-8",
    "Retry-After is a date",
    "retry-after",
    (value) => new Date(Date.UTC(2030, 0, 1) + 1000 * Number(value)).toUTCString(),
    isLimited,
  ),
  inHeader("HEAD-8", "Retry-After is in milliseconds", "retry-after", (value) => `${value}000`, isLimited),
  inHeader("HEAD-8", "Retry-After is always one second", "retry-after", () => "1", isLimited),
  inHeader("HEAD-8", "Retry-After is zero", "retry-after", () => "0", isLimited),
];

export const headersMutants: Mutant[] = [...ofRequestId, ...ofAllowance, ...ofRequests, ...ofWaiting];
