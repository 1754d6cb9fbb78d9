import { randomUUID } from "node:crypto";
import {
  type ClientMutant,
  type CreateDifference,
  type ReceivedResponse,
  type SentRequest,
  violating,
  withHeaders,
} from "./client-mutant.ts";
import { type Attempt, type RetryPolicy, retrying, usualPolicy } from "./retrying.ts";

const idem5 = violating("IDEM-5");
const name = "idempotency-key";

const isSend = ({ method, url }: SentRequest): boolean => method === "POST" && /\/(emails|batch)$/.test(url);

/** Idempotency keys, and requests that are sent more often than they should. */
const ofKeys = [
  idem5.sends("sends keys in lower case", (request) => {
    const key = request.headers[name];
    return key === undefined ? undefined : withHeaders(request, { [name]: key.toLowerCase() });
  }),
  idem5.transmits("sends a message again with a new key if the response is slow", async (request, next) => {
    if (!isSend(request)) return next(request);
    const again = { ...request, ...withHeaders(request, { [name]: randomUUID() }) };
    const late = new Promise<ReceivedResponse>((resolve, reject) => {
      setTimeout(() => next(again).then(resolve, reject), 300);
    });
    const first = next(request);
    const response = await Promise.race([first, late]);
    return response;
  }),
  idem5.receives("takes a replay for an error", ({ headers }) =>
    headers.has("idempotent-replayed") ? { status: 409 } : undefined,
  ),
];

/** A client without keys of its own. */
const unkeyed =
  (create: CreateDifference): CreateDifference =>
  (context) => {
    const { options = {}, send } = create(context);
    return {
      options,
      capabilities: { idempotencyKeys: "explicit" },
      send: (request, next) => {
        const isGiven = context.call().idempotencyKey !== undefined;
        const sent = isGiven ? request : { ...request, ...withHeaders(request, { [name]: undefined }) };
        return send?.(sent, next) ?? next(sent);
      },
    };
  };

/** It retries nevertheless. */
const unkeyedRetries = (isRetried: (attempt: Attempt) => boolean): CreateDifference =>
  unkeyed(retrying({ isRetried: (attempt) => isRetried(attempt) || usualPolicy.isRetried(attempt) }));

/** Retries of one operation without a key: after a failure of the service, and after a lost connection. */
const retriesUnkeyed = (what: string, path: string): ClientMutant[] => [
  idem5.mutant(
    `retries ${what} without a key after a 5xx`,
    unkeyedRetries(({ outcome, request }) => /^5/.test(outcome) && isPost(request, path)),
  ),
  idem5.mutant(
    `retries ${what} without a key after a lost connection`,
    unkeyedRetries(({ outcome, request }) => outcome === "lost" && isPost(request, path)),
  ),
];

const isPost = ({ method, url }: SentRequest, path: string): boolean =>
  method === "POST" && url.endsWith(path);

const ofUnkeyedRetries = [
  ...retriesUnkeyed("sends", "/emails"),
  ...retriesUnkeyed("batches", "/batch"),
  ...retriesUnkeyed("contacts", "/contacts"),
];

const err14 = violating("ERR-14");
const err15 = violating("ERR-15");

const retries = (title: string, changes: Partial<RetryPolicy>): ClientMutant =>
  err15.mutant(title, retrying(changes));

/** Retries some attempts in addition to the right ones. */
const retriesAlso = (title: string, outcome: RegExp): ClientMutant =>
  retries(title, { isRetried: (attempt) => outcome.test(attempt.outcome) || usualPolicy.isRetried(attempt) });

/** Never retries some attempts. */
const neverRetries = (title: string, isMeant: (attempt: Attempt) => boolean): ClientMutant =>
  retries(title, { isRetried: (attempt) => !isMeant(attempt) && usualPolicy.isRetried(attempt) });

const isOf =
  (status: number) =>
  ({ response }: Attempt): boolean =>
    response?.status === status;

/** A failed response that the client takes for a success. */
const succeeds = (title: string, isMeant: (status: number, body: string) => boolean): ClientMutant =>
  err14.receives(title, ({ status, body }) => {
    const text = body.toString();
    if (status < 400 || !isMeant(status, text)) return undefined;
    return { status: 200, body: text.startsWith("{") ? body : Buffer.from("{}") };
  });

/** Retries of failures, and failures without a body. */
const ofFailures = [
  err15.mutant(
    "repeats keyed sends after a lost connection, although it says that it does not retry",
    (context) => ({
      ...retrying({
        isRetried: ({ outcome, request }) =>
          outcome === "lost" && request.method === "POST" && "idempotency-key" in request.headers,
      })(context),
      capabilities: { retries: false },
    }),
  ),
  neverRetries("never retries a 500", isOf(500)),
  neverRetries("never retries a 502", isOf(502)),
  neverRetries("never retries a 503", isOf(503)),
  neverRetries("never retries a send", ({ request }) => request.method === "POST"),
  neverRetries("never retries a read", ({ request }) => request.method === "GET"),
  retriesAlso("retries a 413", /^413/),
  violating("ERR-13").rejects("reports a 503 as a lost connection", ({ status, message = "" }) =>
    status === 503 ? { error: { kind: "connection", message } } : undefined,
  ),
  violating("ERR-13").rejects("reports each 5xx as a 500", (error) =>
    (error.status ?? 0) > 500 ? { error: { ...error, status: 500 } } : undefined,
  ),

  succeeds("takes a 500 without a body for a success", (status, body) => status === 500 && body === ""),
  succeeds(
    "takes a 500 with an HTML body for a success",
    (status, body) => status === 500 && body.startsWith("<"),
  ),
  succeeds(
    "takes a 500 with JSON without an error for a success",
    (status, body) => status === 500 && body.startsWith("{") && !body.includes('"error"'),
  ),
];

/** Another pause before a retry. */
const pauses = (title: string, pause: (attempt: Attempt) => number): ClientMutant =>
  violating("HEAD-9").mutant(title, retrying({ pause }));

/** Pauses after a 429 `rate_limited`. */
const ofRateLimits = [
  pauses("waits for Retry-After after the first attempt only", (attempt) =>
    attempt.number === 1 ? usualPolicy.pause(attempt) : 50,
  ),
  pauses("waits for at most ten seconds", (attempt) => Math.min(10_000, usualPolicy.pause(attempt))),
];

/** Idempotency keys and retries. */
export const retryMutants: ClientMutant[] = [...ofKeys, ...ofUnkeyedRetries, ...ofFailures, ...ofRateLimits];
