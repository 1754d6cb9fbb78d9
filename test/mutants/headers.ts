import { changeResponses, type Mutant, type MutantRequest, type MutantResponse } from "./mutant.ts";
import { isSuccess } from "./newsletter.ts";
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
  tellsAllowance("lookups report the quota", on("getEmail")),
  tellsAllowance("canceling reports the quota", on("cancelEmail")),
  tellsAllowance("GET /me reports the quota", on("getMe")),
];

const ofRequests: Mutant[] = [
  inHeader("HEAD-6", "canceling reports no rate limit", limit, gone, on("cancelEmail")),
  inHeader("HEAD-6", "the rate limit is per hour", limit, (value) => String(60 * Number(value))),
  inHeader(
    "HEAD-7",
    "an unsubscribe does not report the remaining requests",
    left,
    gone,
    on("unsubscribeContact"),
  ),
  inHeader("HEAD-7", "the used requests are reported instead of the remaining ones", left, (value) =>
    String(100_000 - Number(value)),
  ),
];

const ofWaiting: Mutant[] = [
  inHeader("HEAD-8", "a 429 has no Retry-After", "retry-after", gone, isLimited),
  inHeader("HEAD-8", "Retry-After is always one second", "retry-after", () => "1", isLimited),
];

export const headersMutants: Mutant[] = [...ofRequestId, ...ofAllowance, ...ofRequests, ...ofWaiting];
