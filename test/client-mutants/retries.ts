import { type ClientMutant, forever, violating } from "./client-mutant.ts";
import { type Attempt, type RetryPolicy, retrying, usualPolicy } from "./retrying.ts";

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

/** Has another pause before it retries some attempts. */
const pauses = (title: string, milliseconds: number, isMeant: (attempt: Attempt) => boolean): ClientMutant =>
  retries(title, { pause: (attempt) => (isMeant(attempt) ? milliseconds : usualPolicy.pause(attempt)) });

const isOf =
  (status: number) =>
  ({ response }: Attempt): boolean =>
    response?.status === status;
const isServerError = ({ outcome }: Attempt): boolean => /^5/.test(outcome);

/** A failed response that the client takes for a success. */
const succeeds = (title: string, isMeant: (status: number, body: string) => boolean): ClientMutant =>
  err14.receives(title, ({ status, body }) => {
    const text = body.toString();
    if (status < 400 || !isMeant(status, text)) return undefined;
    return { status: 200, body: text.startsWith("{") ? body : Buffer.from("{}") };
  });

/** Something else in place of an error for a 500 without an error type. */
const onUntyped500 = (
  title: string,
  error: { kind: "unreadable" | "connection" | "response"; status?: number },
) =>
  err14.rejects(title, ({ status, type }) =>
    status === 500 && type === null
      ? { error: { ...error, message: "Unexpected end of JSON input" } }
      : undefined,
  );

/** Retries of failures, and failures without a body. */
export const retryMutants = [
  err15.mutant("never retries, although it says so", () => ({ options: { attempts: 1 } })),
  err15.mutant("retries, although it says that it does not", () => ({ capabilities: { retries: false } })),
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
  neverRetries("never retries a 500 without a body", ({ outcome }) => outcome === "500"),
  neverRetries("never retries a 502 with an HTML body", ({ outcome }) => outcome === "502"),
  neverRetries("never retries a send", ({ request }) => request.method === "POST"),
  neverRetries("never retries a read", ({ request }) => request.method === "GET"),
  pauses("retries a failure at once", 0, isServerError),
  pauses("retries a failure after 5 ms", 5, isServerError),
  pauses("retries a 500 without a pause", 0, isOf(500)),
  pauses("retries a 502 without a pause", 0, isOf(502)),
  pauses("retries a 503 without a pause", 0, isOf(503)),
  retries("retries without end and without a pause", { attempts: Number.POSITIVE_INFINITY, pause: () => 0 }),
  retriesAlso("retries every error", /^[45]/),
  retriesAlso("retries a 401", /^401/),
  retriesAlso("retries a 402", /^402/),
  retriesAlso("retries a 403", /^403/),
  retriesAlso("retries a 404", /^404/),
  retriesAlso("retries a 409", /^409/),
  retriesAlso("retries a 413", /^413/),
  retriesAlso("retries a 422", /^422/),
  retriesAlso("retries every 429", /^429/),
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
  succeeds("takes each error without an error object for a success", (_, body) => !body.includes('"error"')),
  onUntyped500("fails to read a 500 without an error object", { kind: "unreadable" }),
  onUntyped500("reports a 500 without an error object as a lost connection", { kind: "connection" }),
  onUntyped500("reports status 0 for a 500 without an error object", { kind: "response", status: 0 }),
  err14.transmits("waits for ever for the body of a 500 without one", async (request, next, { signal }) => {
    const response = await next(request);
    return response.status === 500 && response.body.length === 0 ? forever(signal) : response;
  }),
];
