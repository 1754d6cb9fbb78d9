import { isBatch, isScheduled, isSend, messagesIn, remembering } from "./email.ts";
import { type Between, type Fault, type FaultRequest, inRequests, type RequirementId } from "./fault.ts";
import { addressIn, isGood, isPost, type Json, objectOf } from "./newsletter.ts";

const header = "idempotency-key";
const keyOf = ({ headers }: FaultRequest): string | undefined => headers[header];

/** The request without its idempotency key. */
export function withoutKey(request: FaultRequest): FaultRequest {
  const { [header]: _, ...headers } = request.headers;
  return { ...request, headers };
}

/** Takes a second body for the first one that had its key, where they are alike in what counts. */
const countsOnly = (
  what: string,
  isMeant: (request: FaultRequest) => boolean,
  part: (body: Json) => unknown,
): Fault =>
  remembering("IDEM-2", what, (): Between => {
    const first = new Map<string, unknown>();
    return (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
      const id = `${key} ${request.headers.authorization}`;
      const known = first.get(id) ?? request.body;
      first.set(id, known);
      const isSame = JSON.stringify(part(objectOf(known))) === JSON.stringify(part(objectOf(request.body)));
      return next(isSame ? { ...request, body: known } : request);
    };
  });

/** Makes two calls with one key, where the second one comes before the first one is answered. */
const race = (breaks: RequirementId, what: string, isMeant: (request: FaultRequest) => boolean): Fault =>
  remembering(breaks, `two of ${what} with one key at the same time are both made`, (): Between => {
    const underWay = new Set<string>();
    return async (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
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
export const sameKeyFaults: Fault[] = [
  inRequests("IDEM-1", "the key of a send for later is ignored", (request) =>
    isScheduled(request) ? withoutKey(request) : undefined,
  ),
  remembering("IDEM-1", "the replay of a contact is its membership as it is now", () => {
    const last = new Map<string, unknown>();
    return async (request, next) => {
      const answer = await next(request);
      if (!isPost(request) || !isGood(answer)) return answer;
      const id = `${addressIn(request)} ${String(objectOf(request.body).list_id)}`;
      if (answer.headers["idempotent-replayed"] === "true") return { ...answer, body: last.get(id) };
      last.set(id, answer.body);
      return answer;
    };
  }),
  countsOnly("of a send, only the subject is compared", isSend, ({ subject }) => subject),
  countsOnly("of a send, tags are not compared", isSend, ({ tags: _, ...rest }) => rest),
  countsOnly("of a batch, only the first message is compared", isBatch, (body) => messagesIn(body)[0]),
  countsOnly("of a contact, only email and list are compared", isPost, ({ email, list_id }) => [
    email,
    list_id,
  ]),
  remembering(
    "IDEM-2",
    "another body of a contact is a conflict, and is added all the same",
    () => async (request, next) => {
      const answer = await next(request);
      if (isPost(request) && answer.status === 409) await next(withoutKey(request));
      return answer;
    },
  ),
  {
    breaks: "IDEM-7",
    title: "every success says that it is a replay, without any key",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (!isGood(answer) || keyOf(request) !== undefined) return answer;
      return { ...answer, headers: { ...answer.headers, "idempotent-replayed": "true" } };
    },
  },
  race("IDEM-8", "a send", isSend),
  race("IDEM-8", "a batch", isBatch),
];
