import { isMessageLookup, isReschedule, stateful } from "./email.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  respondInstead,
  shows,
  takes,
} from "./mutant.ts";
import { errorResponse, isSuccess, isUnsubscribe } from "./newsletter.ts";
import { isRequestTo, withKey } from "./requests.ts";
import { asReplay, isReplay, keyedRequests, withoutKey } from "./same-key.ts";

const header = "idempotency-key";
const replay = "idempotent-replayed";
const keyOf = ({ headers }: MutantRequest): string | undefined => headers[header];

const withIdempotencyKey = (request: MutantRequest, key: string): MutantRequest => ({
  ...request,
  headers: { ...request.headers, [header]: key },
});

export const ofReplays: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
  takes("IDEM-1", `the key of ${what} is ignored`, (request) =>
    applies(request) ? withoutKey(request) : undefined,
  ),
  takes("IDEM-4", `accepts a key of 257 characters for ${what}`, (request) =>
    applies(request) && (keyOf(request)?.length ?? 0) > 256
      ? withIdempotencyKey(request, String(keyOf(request)).slice(0, 256))
      : undefined,
  ),
  takes("IDEM-4", `only 255 characters of the key of ${what} are significant`, (request) =>
    applies(request) && keyOf(request)?.length === 256
      ? withIdempotencyKey(request, String(keyOf(request)).slice(0, 255))
      : undefined,
  ),
  shows("IDEM-7", `the original response to ${what} has Idempotent-Replayed: true`, (response, request) =>
    applies(request) && isSuccess(response) && keyOf(request) !== undefined
      ? { ...response, headers: { ...response.headers, [replay]: "true" } }
      : undefined,
  ),
  {
    requirement: "IDEM-8",
    title: `the replay of ${what} has effects again`,
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (applies(request) && isReplay(response)) await next(withoutKey(request));
      return response;
    },
  },
  stateful("IDEM-10", `the key of ${what} is forgotten if its response is lost`, () => {
    const lost = new Set<string>();
    return async (request, next) => {
      const key = keyOf(request) ?? "";
      if (lost.delete(key)) return next(withoutKey(request));
      return next(request).catch((error: unknown) => {
        if (applies(request)) lost.add(key);
        throw error;
      });
    };
  }),
]);

/** Sends a request with a similar key as the one with the first key. */
const replaying =
  (applies: (request: MutantRequest) => boolean): (() => Interceptor) =>
  () => {
    const first = new Map<string, MutantResponse>();
    return async (request, next) => {
      const key = keyOf(request);
      if (!applies(request) || key === undefined) return next(request);
      const known = first.get(`${request.method} ${key}`);
      if (known !== undefined) return asReplay(known);
      const response = await next(request);
      first.set(`${request.method} ${key}`, response);
      return response;
    };
  };

export const ofOthers: Mutant[] = (
  [
    ["a reschedule", isReschedule],
    ["a lookup", isMessageLookup],
    ["an unsubscribe", isUnsubscribe],
  ] as const
).map(([what, applies]) => ({
  requirement: "IDEM-3" as const,
  title: `${what} uses the idempotency key`,
  intercept: replaying(applies),
}));

/** Accepts texts similar to the main account's key. */
const takesLike = (title: string, isLike: (text: string, key: string) => boolean): Mutant =>
  takes("AUTH-13", title, (request, { bearer }) => {
    const { authorization = "" } = request.headers;
    const applies = authorization.length > "Bearer ".length + 8 && isLike(authorization, bearer("full"));
    return applies ? withKey(request, bearer("full")) : request;
  });

const belowMessage = /^(\/api\/v1\/emails\/[^/]+)\/[^/]+$/;

/** Mutants of keys and paths that only show in some cases. */
export const keyCasesMutants: Mutant[] = [
  takesLike("the beginning of a key is sufficient", (text, key) => key.startsWith(text)),
  takesLike("keys are compared without regard to case", (text, key) => {
    return text.toLowerCase() === key.toLowerCase();
  }),
  respondInstead("ERR-6", "paths below a message return the message", (request, next) => {
    const [, message] = belowMessage.exec(request.path) ?? [];
    return message === undefined || request.method !== "GET"
      ? undefined
      : next({ ...request, path: message });
  }),
  respondInstead("ERR-7", "DELETE on the lists returns 404", (request) =>
    request.method === "DELETE" &&
    !isRequestTo(request, "email", "newsletter") &&
    request.path.endsWith("/lists")
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];
