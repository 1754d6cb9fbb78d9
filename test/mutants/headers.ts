import { isMessageLookup } from "./email.ts";
import { pathOf, withHeader } from "./fault-support.ts";
import { withPast } from "./history.ts";
import { type Applies, type Mutant, type MutantRequest, type MutantResponse, shows } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";
import { withHeaders } from "./requests.ts";
import { isReplay } from "./same-key.ts";

const id = "x-service-request-id";
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
  shows(requirement, title, (response, request) => {
    const value = response.headers[name];
    return value === undefined || !applies(response, request)
      ? undefined
      : withHeaders(response, { [name]: change(value) });
  });

export const ofRequestId: Mutant[] = [
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

export const ofRequests: Mutant[] = [
  inHeader("HEAD-6", "the rate limit is per hour", limit, (value) => String(60 * Number(value))),
  inHeader("HEAD-7", "the used requests are reported instead of the remaining ones", left, (value) =>
    String(100_000 - Number(value)),
  ),
];

const inZone = (value: unknown): unknown =>
  typeof value === "string"
    ? `${new Date(Date.parse(value) + 3_600_000).toISOString().slice(0, 19)}+01:00`
    : value;

/** A time that is not in UTC in one place only. */
const zoned = (title: string, applies: Applies, change: (body: Json) => Json): Mutant =>
  shows("GEN-7", title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body)) }
      : undefined,
  );

export const ofTimes: Mutant[] = [
  ...["bounced_at", "complained_at"].map((name) =>
    zoned(`${name} is not in UTC`, isMessageLookup, (record) => ({
      ...record,
      [name]: inZone(record[name]),
    })),
  ),
];

export const ofIds: Mutant[] = [
  withPast(
    "HEAD-2",
    "all replays after the first one have the same request id",
    async (request, next, { history }) => {
      const response = await next(request);
      const { replays = 0, response: first } = history.keyedOf(request) ?? {};
      return isReplay(response) && replays > 1 && first
        ? withHeaders(response, { "x-service-request-id": `${first.headers["x-service-request-id"]}_replay` })
        : response;
    },
  ),
  shows("HEAD-10", "Allow of an unsubscribe is GET", (response, request) =>
    response.status === 405 && request.path.endsWith("/unsubscribe")
      ? withHeaders(response, { allow: "GET" })
      : undefined,
  ),
];

/** `Allow` with other methods on one path. */
const allows = (title: string, path: RegExp, change: (methods: string[]) => string[]): Mutant =>
  shows("HEAD-10", title, (response, request) => {
    const methods = (response.headers.allow ?? "").split(/,\s*/).filter((method) => method !== "");
    return response.status === 405 && path.test(pathOf(request))
      ? withHeader(response, "allow", change(methods).join(", "))
      : response;
  });

const also =
  (...more: string[]) =>
  (methods: string[]): string[] => [...new Set([...methods, ...more])];

export const allowMutants: Mutant[] = [
  // Source: restlet/restlet-framework-java#266, eclipse-ee4j/jersey#3837
  allows("`Allow` of a message does not list PATCH", /\/emails\/(?!batch$)[^/]+$/, (methods) =>
    methods.filter((one) => one !== "PATCH"),
  ),
  // Source: from experience (the routes of a prefix are merged)
  allows("`Allow` of an unsubscribe lists the methods of its contact", /\/unsubscribe$/, also("GET")),
  // Source: from experience (the routes of a prefix are merged)
  allows("`Allow` of a contact lists POST too", /\/newsletter\/contacts\/[^/]+$/, also("POST")),
  // Source: michaelJustin/daraja-framework#429 (a default list)
  allows(
    "`Allow` of the account lists all methods",
    /\/api\/v1\/me$/,
    also("POST", "PUT", "PATCH", "DELETE"),
  ),
  // Source: dekobon/big-code-analysis#655
  shows("HEAD-10", "a 405 on the custom fields has no `Allow`", (response, request) => {
    const { allow: _, ...headers } = response.headers;
    return response.status === 405 && pathOf(request).endsWith("/newsletter/fields")
      ? { ...response, headers }
      : response;
  }),
  // Source: kotx/render#35, cnnic/rdap#50
  shows("HEAD-10", "`Allow` is the method that was used on the path of the lists", (response, request) =>
    response.status === 405 && pathOf(request).endsWith("/newsletter/lists")
      ? withHeader(response, "allow", request.method)
      : response,
  ),
];
