import { isBatch, isMessageLookup, isReschedule, isSend, stateful } from "./email.ts";
import {
  changeRequests,
  changeResponses,
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
} from "./mutant.ts";
import { errorResponse, isSuccess, isUnsubscribe, isUpsert } from "./newsletter.ts";
import { isReplay, withoutKey } from "./same-key.ts";

const header = "idempotency-key";
const replay = "idempotent-replayed";
const keyOf = ({ headers }: MutantRequest): string | undefined => headers[header];

const withKey = (request: MutantRequest, key: string): MutantRequest => ({
  ...request,
  headers: { ...request.headers, [header]: key },
});

/** The operations with idempotency keys, as in titles. */
const calls: [string, (request: MutantRequest) => boolean][] = [
  ["a send", isSend],
  ["a batch", isBatch],
  ["a contact", isUpsert],
];

const ofReplays: Mutant[] = calls.flatMap(([what, applies]) => [
  changeRequests("IDEM-1", `the key of ${what} is ignored`, (request) =>
    applies(request) ? withoutKey(request) : undefined,
  ),
  changeResponses(
    "IDEM-2",
    `another body of ${what} is a conflict with another error type`,
    (response, request) =>
      applies(request) && response.status === 409 ? errorResponse(409, "conflict") : undefined,
  ),
  changeRequests("IDEM-4", `accepts a key of 257 characters for ${what}`, (request) =>
    applies(request) && (keyOf(request)?.length ?? 0) > 256
      ? withKey(request, String(keyOf(request)).slice(0, 256))
      : undefined,
  ),
  changeRequests("IDEM-4", `only 255 characters of the key of ${what} are significant`, (request) =>
    applies(request) && keyOf(request)?.length === 256
      ? withKey(request, String(keyOf(request)).slice(0, 255))
      : undefined,
  ),
  changeResponses(
    "IDEM-7",
    `the original response to ${what} has Idempotent-Replayed: true`,
    (response, request) =>
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
      if (known !== undefined)
        return { ...known, headers: { ...known.headers, [replay]: "true", ...fresh(known) } };
      const response = await next(request);
      first.set(`${request.method} ${key}`, response);
      return response;
    };
  };

let count = 0;
/** A new request id. */
const fresh = (_: MutantResponse): Record<string, string> => {
  count += 1;
  return { "x-service-request-id": `req_replay_${count}` };
};

const ofOthers: Mutant[] = (
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

export const idempotencyMutants: Mutant[] = [...ofReplays, ...ofOthers];
