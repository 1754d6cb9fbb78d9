import { isBatch, isLook, isReschedule, isSend, remembering } from "./email.ts";
import {
  type Between,
  type Fault,
  type FaultAnswer,
  type FaultRequest,
  inAnswers,
  inRequests,
  instead,
  type RequirementId,
} from "./fault.ts";
import { isGood, isLeaving, isPost, refusal } from "./newsletter.ts";
import { withoutKey } from "./same-key.ts";

const header = "idempotency-key";
const replay = "idempotent-replayed";
const keyOf = ({ headers }: FaultRequest): string | undefined => headers[header];
const isReplay = ({ headers }: FaultAnswer): boolean => headers[replay] === "true";

const withKey = (request: FaultRequest, key: string): FaultRequest => ({
  ...request,
  headers: { ...request.headers, [header]: key },
});

const withoutReplay = (answer: FaultAnswer): FaultAnswer => {
  const { [replay]: _, ...headers } = answer.headers;
  return { ...answer, headers };
};

/** The three calls that take a key, as they are called in titles. */
const calls: [string, (request: FaultRequest) => boolean][] = [
  ["a send", isSend],
  ["a batch", isBatch],
  ["a contact", isPost],
];

/** Replayed answers otherwise, for one of the calls. */
const inReplays = (
  breaks: RequirementId,
  title: string,
  isMeant: (request: FaultRequest) => boolean,
  change: (answer: FaultAnswer) => FaultAnswer,
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    isMeant(request) && isReplay(answer) ? change(answer) : undefined,
  );

const ofReplays: Fault[] = calls.flatMap(([what, isMeant]) => [
  inRequests("IDEM-1", `the key of ${what} is ignored`, (request) =>
    isMeant(request) ? withoutKey(request) : undefined,
  ),
  inReplays("IDEM-1", `the replay of ${what} has no body`, isMeant, (answer) => ({ ...answer, body: {} })),
  inReplays("IDEM-1", `the replay of ${what} has another status`, isMeant, (answer) => ({
    ...answer,
    status: answer.status === 200 ? 201 : 200,
  })),
  inReplays("IDEM-1", `a repeated key of ${what} is a conflict`, isMeant, () =>
    refusal(409, "idempotency_conflict"),
  ),
  remembering("IDEM-2", `another body of ${what} is answered with the original answer`, () => {
    const first = new Map<string, unknown>();
    return (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
      const id = `${key} ${request.headers.authorization}`;
      if (!first.has(id)) first.set(id, request.body);
      return next({ ...request, body: first.get(id) });
    };
  }),
  inAnswers("IDEM-2", `another body of ${what} is answered 422`, (answer, request) =>
    isMeant(request) && answer.status === 409
      ? refusal(422, "invalid_request", "Idempotency-Key")
      : undefined,
  ),
  inAnswers("IDEM-2", `another body of ${what} is a conflict of another type`, (answer, request) =>
    isMeant(request) && answer.status === 409 ? refusal(409, "conflict") : undefined,
  ),
  {
    breaks: "IDEM-2",
    title: `another body of ${what} is new work`,
    between: () => async (request, next) => {
      const answer = await next(request);
      return isMeant(request) && answer.status === 409 ? next(withoutKey(request)) : answer;
    },
  },
  inRequests("IDEM-4", `takes a key of 257 characters for ${what}`, (request) =>
    isMeant(request) && (keyOf(request)?.length ?? 0) > 256
      ? withKey(request, String(keyOf(request)).slice(0, 256))
      : undefined,
  ),
  instead("IDEM-4", `refuses a key of 256 characters for ${what}`, (request) =>
    isMeant(request) && keyOf(request)?.length === 256
      ? refusal(422, "invalid_request", "Idempotency-Key")
      : undefined,
  ),
  inRequests("IDEM-4", `only 255 characters of the key of ${what} count`, (request) =>
    isMeant(request) && keyOf(request)?.length === 256
      ? withKey(request, String(keyOf(request)).slice(0, 255))
      : undefined,
  ),
  remembering("IDEM-6", `the keys of ${what} count for the whole account`, () => {
    const owners = new Map<string, string | undefined>();
    return (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
      if (!owners.has(key)) owners.set(key, request.headers.authorization);
      return next({ ...request, headers: { ...request.headers, authorization: owners.get(key) ?? "" } });
    };
  }),
  inReplays("IDEM-7", `the replay of ${what} has no header`, isMeant, withoutReplay),
  inReplays("IDEM-7", `the replay of ${what} has 1 in its header`, isMeant, (answer) => ({
    ...answer,
    headers: { ...answer.headers, [replay]: "1" },
  })),
  inAnswers("IDEM-7", `the original answer to ${what} says that it is a replay`, (answer, request) =>
    isMeant(request) && isGood(answer) && keyOf(request) !== undefined
      ? { ...answer, headers: { ...answer.headers, [replay]: "true" } }
      : undefined,
  ),
  {
    breaks: "IDEM-8",
    title: `the replay of ${what} does it again`,
    between: () => async (request, next) => {
      const answer = await next(request);
      if (isMeant(request) && isReplay(answer)) await next(withoutKey(request));
      return answer;
    },
  },
  remembering("IDEM-9", `the key of ${what} is forgotten after an hour`, ({ now }) => {
    const since = new Map<string, number>();
    return (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
      const first = since.get(key) ?? now();
      since.set(key, first);
      return next(now() - first > 3_600_000 ? withoutKey(request) : request);
    };
  }),
  remembering("IDEM-10", `the key of ${what} is forgotten when its answer is lost`, () => {
    const lost = new Set<string>();
    return async (request, next) => {
      const key = keyOf(request) ?? "";
      if (lost.delete(key)) return next(withoutKey(request));
      return next(request).catch((error: unknown) => {
        if (isMeant(request)) lost.add(key);
        throw error;
      });
    };
  }),
  remembering("IDEM-10", `the key of ${what} is a conflict when its answer is lost`, () => {
    const lost = new Set<string>();
    return async (request, next) => {
      const key = keyOf(request) ?? "";
      if (lost.has(key)) return refusal(409, "idempotency_conflict");
      return next(request).catch((error: unknown) => {
        if (isMeant(request)) lost.add(key);
        throw error;
      });
    };
  }),
]);

/** Answers a call with a key like the first one with it. */
const replaying =
  (isMeant: (request: FaultRequest) => boolean): (() => Between) =>
  () => {
    const first = new Map<string, FaultAnswer>();
    return async (request, next) => {
      const key = keyOf(request);
      if (!isMeant(request) || key === undefined) return next(request);
      const known = first.get(`${request.method} ${key}`);
      if (known !== undefined)
        return { ...known, headers: { ...known.headers, [replay]: "true", ...fresh(known) } };
      const answer = await next(request);
      first.set(`${request.method} ${key}`, answer);
      return answer;
    };
  };

let count = 0;
/** A request id of its own. */
const fresh = (_: FaultAnswer): Record<string, string> => {
  count += 1;
  return { "x-service-request-id": `req_replay_${count}` };
};

const ofOthers: Fault[] = (
  [
    ["a change of time", isReschedule],
    ["a look-up", isLook],
    ["an unsubscribe", isLeaving],
  ] as const
).map(([what, isMeant]) => ({
  breaks: "IDEM-3" as const,
  title: `the answer to ${what} is replayed by its key too`,
  between: replaying(isMeant),
}));

export const idempotencyFaults: Fault[] = [...ofReplays, ...ofOthers];
