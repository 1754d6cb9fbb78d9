import { changeResponses, type Mutant, type MutantRequest, type MutantResponse } from "./mutant.ts";
import { isSuccess, objectOf } from "./newsletter.ts";
import { isError, isRequestTo, withHeaders } from "./requests.ts";

const id = "x-service-request-id";
const quota = "x-service-monthly-quota";
const allowance = "x-service-monthly-remaining";
const limit = "x-ratelimit-limit";
const left = "x-ratelimit-remaining";

type IsMeant = (response: MutantResponse, request: MutantRequest) => boolean;

/** A fault that gives a header another value, or leaves it out. */
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

/** A fault that puts the headers of the allowance on responses that do not have them. */
const tellsAllowance = (title: string, applies: IsMeant): Mutant =>
  changeResponses("HEAD-5", title, (response, request) =>
    isSuccess(response) && applies(response, request)
      ? withHeaders(response, { [quota]: "10000", [allowance]: "9000" })
      : undefined,
  );

const ofRequestId: Mutant[] = [
  inHeader("HEAD-1", "a 404 has no request id in its headers", id, gone, ({ status }) => status === 404),
  inHeader("HEAD-1", "a 401 has no request id in its headers", id, gone, ({ status }) => status === 401),
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
    title: "the request id stands in X-Request-Id",
    intercept: () => async (request, next) => {
      const response = await next(request);
      return isSuccess(response)
        ? withHeaders(response, { [id]: undefined, "x-request-id": response.headers[id] })
        : response;
    },
  },
  inHeader("HEAD-2", "every response has the same request id", id, () => "req_1", isSuccess),
  inHeader("HEAD-2", "the request id is that of the connection", id, (value) => value.slice(0, 8), isSuccess),
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
  inHeader("HEAD-3", "a batch tells no monthly allowance", quota, gone, on("sendBatch")),
  inHeader("HEAD-3", "a send tells no monthly allowance", quota, gone, on("sendEmail")),
  inHeader("HEAD-3", "a scheduled send tells no monthly allowance", quota, gone, isScheduled),
  inHeader("HEAD-3", "the monthly allowance is a word", quota, () => "unlimited"),
  inHeader("HEAD-4", "a batch does not tell what is left of the allowance", allowance, gone, on("sendBatch")),
  inHeader("HEAD-4", "a send does not tell what is left of the allowance", allowance, gone, on("sendEmail")),
  inHeader(
    "HEAD-4",
    "a scheduled send does not tell what is left of the allowance",
    allowance,
    gone,
    isScheduled,
  ),
  inHeader("HEAD-4", "what is left of the allowance is a share of it", allowance, () => "0.97"),
  tellsAllowance("look-ups tell the allowance", on("getEmail")),
  tellsAllowance("newsletter calls tell the allowance", on("newsletter")),
  tellsAllowance("canceling tells the allowance", on("cancelEmail")),
  tellsAllowance("a key is told the allowance", on("getMe")),
];

/** A fault that makes the requests left another number, which may depend on those told before. */
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
  inHeader("HEAD-6", "newsletter calls tell no request limit", limit, gone, on("newsletter")),
  inHeader("HEAD-6", "canceling tells no request limit", limit, gone, on("cancelEmail")),
  inHeader("HEAD-6", "a key is told no request limit", limit, gone, on("getMe")),
  inHeader("HEAD-6", "the request limit comes with its window", limit, (value) => `${value}, ${value};w=60`),
  inHeader("HEAD-6", "the request limit is that of an hour", limit, (value) => String(60 * Number(value))),
  inHeader("HEAD-7", "an unsubscribe does not tell the requests left", left, gone, on("unsubscribeContact")),
  inHeader("HEAD-7", "a send does not tell the requests left", left, gone, on("sendEmail")),
  inHeader("HEAD-7", "the requests left are text", left, (value) => `${value} left`),
  inHeader("HEAD-7", "what is told are the requests made", left, (value) => String(100_000 - Number(value))),
  counts("the requests left never fall", (_, before) => before),
  counts("every call takes two of the requests left", (_, before) => before - 2),
  inHeader("HEAD-7", "the requests left are told in tens", left, (value) => value.replace(/\d$/, "0")),
];

const ofWaiting: Mutant[] = [
  inHeader("HEAD-8", "too many requests are not told to wait", "retry-after", gone, isLimited),
  inHeader(
    "HEAD-8",
    "the wait is a date",
    "retry-after",
    (value) => new Date(Date.UTC(2030, 0, 1) + 1000 * Number(value)).toUTCString(),
    isLimited,
  ),
  inHeader("HEAD-8", "the wait is in milliseconds", "retry-after", (value) => `${value}000`, isLimited),
  inHeader("HEAD-8", "the wait is always a second", "retry-after", () => "1", isLimited),
  inHeader("HEAD-8", "there is nothing to wait for", "retry-after", () => "0", isLimited),
];

export const headersMutants: Mutant[] = [...ofRequestId, ...ofAllowance, ...ofRequests, ...ofWaiting];
