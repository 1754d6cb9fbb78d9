import { isBatch, isScheduled, isSend, messagesIn, stateful } from "./email.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  remembers,
  takes,
} from "./mutant.ts";
import { emailOf, isSuccess, isUpsert, type Json, objectOf } from "./newsletter.ts";
import { withHeaders } from "./requests.ts";

const header = "idempotency-key";
const replay = "idempotent-replayed";
const keyOf = ({ headers }: MutantRequest): string | undefined => headers[header];

/** The operations with idempotency keys. */
export const keyedRequests: readonly [title: string, applies: (request: MutantRequest) => boolean][] = [
  ["a send", isSend],
  ["a batch", isBatch],
  ["a contact", isUpsert],
];

export const isReplay = ({ headers }: Pick<MutantResponse, "headers">): boolean => headers[replay] === "true";

let replays = 0;

/** The response as a replay, with a request id of its own. */
export function asReplay(response: MutantResponse): MutantResponse {
  replays += 1;
  return withHeaders(response, { [replay]: "true", "x-service-request-id": `req_replay_${replays}` });
}

/** The idempotency key with the API key that it belongs to; undefined if there is none. */
export function scopedKey(request: MutantRequest): string | undefined {
  const key = keyOf(request);
  return key === undefined ? undefined : `${key} ${request.headers.authorization}`;
}

export function withoutKey(request: MutantRequest): MutantRequest {
  const { [header]: _, ...headers } = request.headers;
  return { ...request, headers };
}

/** Treats a second body as the first one with the same key if they are similar. */
export const countsOnly = (
  what: string,
  applies: (request: MutantRequest) => boolean,
  part: (body: Json) => unknown,
): Mutant =>
  stateful("IDEM-2", what, (): Interceptor => {
    const first = new Map<string, unknown>();
    return (request, next) => {
      const id = scopedKey(request);
      if (!applies(request) || id === undefined) return next(request);
      const known = first.get(id) ?? request.body;
      first.set(id, known);
      const isSame = JSON.stringify(part(objectOf(known))) === JSON.stringify(part(objectOf(request.body)));
      return next(isSame ? { ...request, body: known } : request);
    };
  });

/** Sends two requests with one key, the second before the first has its response. */
const race = (
  requirement: RequirementId,
  what: string,
  applies: (request: MutantRequest) => boolean,
): Mutant =>
  stateful(
    requirement,
    `two concurrent requests of ${what} with one key are both processed`,
    (): Interceptor => {
      const underWay = new Set<string>();
      return async (request, next) => {
        const key = keyOf(request);
        if (!applies(request) || key === undefined) return next(request);
        if (underWay.has(key)) return next(withoutKey(request));
        underWay.add(key);
        try {
          return await next(request);
        } finally {
          underWay.delete(key);
        }
      };
    },
  );

/** Servers that compare too little. */
export const sameKeyMutants: Mutant[] = [
  takes("IDEM-1", "the key of a scheduled send is ignored", (request) =>
    isScheduled(request) ? withoutKey(request) : undefined,
  ),
  remembers("IDEM-1", "the replay of a contact is its current membership", () => {
    const last = new Map<string, unknown>();
    return (response, request) => {
      if (!isUpsert(request) || !isSuccess(response)) return response;
      const id = `${emailOf(request)} ${String(objectOf(request.body).list_id)}`;
      if (isReplay(response)) return { ...response, body: last.get(id) };
      last.set(id, response.body);
      return response;
    };
  }),
  countsOnly("the tags of a send are not compared", isSend, ({ tags: _, ...rest }) => rest),
  countsOnly("only the first message of a batch is compared", isBatch, (body) => messagesIn(body)[0]),
  stateful("IDEM-2", "another body of a contact is a conflict, but added", () => async (request, next) => {
    const response = await next(request);
    if (isUpsert(request) && response.status === 409) await next(withoutKey(request));
    return response;
  }),
  {
    requirement: "IDEM-7",
    title: "every success has Idempotent-Replayed: true, even without a key",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response) || keyOf(request) !== undefined) return response;
      return withHeaders(response, { [replay]: "true" });
    },
  },
  race("IDEM-8", "a send", isSend),
  race("IDEM-8", "a batch", isBatch),
];
