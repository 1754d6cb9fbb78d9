import { isBatch, isScheduled, isSend, messagesIn, stateful } from "./email.ts";
import {
  changeRequests,
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type RequirementId,
} from "./mutant.ts";
import { emailOf, isSuccess, isUpsert, type Json, objectOf } from "./newsletter.ts";

const header = "idempotency-key";
const keyOf = ({ headers }: MutantRequest): string | undefined => headers[header];

/** The request without its idempotency key. */
export function withoutKey(request: MutantRequest): MutantRequest {
  const { [header]: _, ...headers } = request.headers;
  return { ...request, headers };
}

/** Takes a second body for the first one that had its key, where they are alike in what counts. */
const countsOnly = (
  what: string,
  applies: (request: MutantRequest) => boolean,
  part: (body: Json) => unknown,
): Mutant =>
  stateful("IDEM-2", what, (): Interceptor => {
    const first = new Map<string, unknown>();
    return (request, next) => {
      const key = keyOf(request);
      if (!applies(request) || key === undefined) return next(request);
      const id = `${key} ${request.headers.authorization}`;
      const known = first.get(id) ?? request.body;
      first.set(id, known);
      const isSame = JSON.stringify(part(objectOf(known))) === JSON.stringify(part(objectOf(request.body)));
      return next(isSame ? { ...request, body: known } : request);
    };
  });

/** Makes two calls with one key, where the second one comes before the first one is answered. */
const race = (
  requirement: RequirementId,
  what: string,
  applies: (request: MutantRequest) => boolean,
): Mutant =>
  stateful(requirement, `two of ${what} with one key at the same time are both made`, (): Interceptor => {
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
  });

/** What a server does that looks too little at what came before with the same key. */
export const sameKeyMutants: Mutant[] = [
  changeRequests("IDEM-1", "the key of a send for later is ignored", (request) =>
    isScheduled(request) ? withoutKey(request) : undefined,
  ),
  stateful("IDEM-1", "the replay of a contact is its membership as it is now", () => {
    const last = new Map<string, unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (!isUpsert(request) || !isSuccess(response)) return response;
      const id = `${emailOf(request)} ${String(objectOf(request.body).list_id)}`;
      if (response.headers["idempotent-replayed"] === "true") return { ...response, body: last.get(id) };
      last.set(id, response.body);
      return response;
    };
  }),
  countsOnly("of a send, only the subject is compared", isSend, ({ subject }) => subject),
  countsOnly("of a send, tags are not compared", isSend, ({ tags: _, ...rest }) => rest),
  countsOnly("of a batch, only the first message is compared", isBatch, (body) => messagesIn(body)[0]),
  countsOnly("of a contact, only email and list are compared", isUpsert, ({ email, list_id }) => [
    email,
    list_id,
  ]),
  stateful(
    "IDEM-2",
    "another body of a contact is a conflict, and is added all the same",
    () => async (request, next) => {
      const response = await next(request);
      if (isUpsert(request) && response.status === 409) await next(withoutKey(request));
      return response;
    },
  ),
  {
    requirement: "IDEM-7",
    title: "every success says that it is a replay, without any key",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response) || keyOf(request) !== undefined) return response;
      return { ...response, headers: { ...response.headers, "idempotent-replayed": "true" } };
    },
  },
  race("IDEM-8", "a send", isSend),
  race("IDEM-8", "a batch", isBatch),
];
