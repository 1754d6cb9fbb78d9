import type { ErrorDetail } from "../../generated/client/models.ts";
import { retryAfterHeader, retryableIfIdempotent, safeToRetry } from "../../generated/client/table.ts";
import { ConnectionError, TimeoutError } from "./errors.ts";
import type { Clock, EventDetails, RequestDetails, ResolvedOptions } from "./options.ts";
import { createTimer, maxDelay, timedOut } from "./time.ts";
import { checkPositive, hideKey } from "./validate.ts";

/** A request, the same in all attempts. */
interface PreparedRequest extends Omit<RequestDetails, "attempts"> {
  headers: Record<string, string>;
  body: string | undefined;
  /** The API key, which no error or event may show. */
  secret: string;
}

/**
 * Turns the last response into the result of a request.
 * @param data the body of a success; undefined if it is not a JSON object or is too large
 * @param error the error in the body of a failure; empty if there is none
 * @param retryAfter in seconds; null if the response does not say
 * @param note why a retryable request was not retried; else empty
 */
export type ResponseHandler<Result> = (
  response: Response,
  details: RequestDetails,
  data: Json | undefined,
  error: ResponseError,
  retryAfter: number | null,
  note: string,
) => Result;

/**
 * Sends a request and retries it as the contract allows (ERR-15, HEAD-9): after `rate_limited` always; after a failure that
 * may have happened after the work was done, only a GET or a request with an idempotency key.
 * The backoff is 0.5 s, 1 s, 2 s ... 8 s, less up to a half, in addition to `Retry-After`.
 *
 * One function on purpose: each function extracted from it adds dozens of bytes to every program that sends an email.
 * @throws ConnectionError, TimeoutError, the reason of the signal, or what `handle` throws
 */
export async function sendRequest<Result>(
  { headers, body: text, secret, ...request }: PreparedRequest,
  options: ResolvedOptions,
  handle: ResponseHandler<Result>,
): Promise<Result> {
  checkPositive(options);
  const {
    clock = globalThis as Clock,
    random = Math.random,
    fetch: send = fetch,
    onEvent,
    signal,
    attempts: maxAttempts = 4,
    attemptTimeout = 30_000,
    timeout = 120_000,
  } = options;
  const { now } = clock.Date;
  const deadline = now() + Math.min(timeout, maxDelay);
  const timer = createTimer(clock, deadline, signal);
  const redact = (value: unknown) => hideKey(`${value}`, secret);
  for (let attempts = 1; ; attempts++) {
    const details = { ...request, attempts };
    const emit = async (event: EventDetails) => {
      try {
        await onEvent?.({ ...details, ...event });
      } catch {}
    };
    let response: Response | undefined;
    // Its headers count even if the body is lost.
    let received: Response | undefined;
    let data: Json | undefined;
    let error: ResponseError = {};
    let reason: Error | undefined;
    let start: number | undefined;
    try {
      const extra = {};
      await timer(timeout, (signal) => emit({ type: "attempt", headers: extra, signal }));
      start = now();
      await timer(attemptTimeout, async (signal) => {
        received = await send(request.url, {
          method: request.method,
          headers: { ...extra, ...headers },
          body: text,
          signal,
          redirect: "manual",
        } as RequestInit);
        const body = await readText(received);
        if (received.ok) data = parseObject(body);
        else error = errorIn(parseObject(body, redact));
        const head = [...received.headers];
        const shown = head + received.statusText;
        response =
          redact(shown) === shown
            ? received
            : new Response(null, {
                status: received.status,
                headers: head.map((pair) => pair.map(redact)) as [string, string][],
              });
      });
    } catch (thrown) {
      reason = thrown as Error | undefined;
    }
    if (start) emit({ type: "result", response, error, milliseconds: now() - start });
    if (!response && signal?.aborted) throw signal.reason;
    const retryAfter = retryAfterOf(received?.headers, now());
    // Null counts as 0.
    const milliseconds =
      1000 * ((retryAfter as number) + Math.min(2 ** attempts / 4, 8) * (1 - random() / 2));
    const outcome = `${response?.status}.${error.type}`;
    const retry =
      attempts < maxAttempts &&
      (safeToRetry.test(outcome) ||
        ((request.method === "GET" || request.idempotencyKey) &&
          (!response || retryableIfIdempotent.test(outcome))));
    if (!retry || now() + milliseconds >= deadline) {
      const note = retry && retryAfter ? "; Retry-After passes the timeout" : "";
      if (response) return handle(response, details, data, error, retryAfter, note);
      if ((reason as unknown) === timedOut) throw new TimeoutError(`no response: timeout${note}`, details);
      // The `fetch` of Node has the error with the code in another one.
      const inner = (reason?.cause ?? reason) as { code?: unknown; message?: unknown } | undefined;
      const code = isText(inner?.code) ? redact(inner?.code) : undefined;
      throw new ConnectionError(`no response: ${code ?? redact(inner)}${note}`, {
        ...details,
        // A copy, because other properties, such as the request, could show the key.
        cause: Object.assign(new Error(redact(inner?.message ?? inner)), { code }),
      });
    }
    emit({ type: "pause", milliseconds });
    await timer(milliseconds);
  }
}

/** A JSON object of unknown shape. */
type Json = Record<string, unknown>;

/** Reads a body as text; returns "" if it is too large. */
async function readText({ body }: Response): Promise<string> {
  // In characters; responses of the service are far smaller.
  const maxLength = 1e7;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > maxLength) return "";
  }
  return text;
}

/** Parses a JSON object; undefined for anything else, also for an array. */
function parseObject(text: string, redact?: (text: string) => string): Json | undefined {
  try {
    const value = /^\s*{/.test(text) ? JSON.parse(text) : undefined;
    // Serialized again, because escapes could hide the key.
    return redact ? JSON.parse(redact(JSON.stringify(value))) : value;
  } catch {}
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === "string";

/** The error in the body of a failure. */
type ResponseError = Partial<ErrorDetail>;

/** The error in the body of a failure, without properties of the wrong type; empty if there is none. */
function errorIn(body: Json | undefined): ResponseError {
  const error = Object(body?.error);
  for (const name of ["type", "message", "request_id"]) if (!isText(error[name])) delete error[name];
  const reasons = Object.values(Object(error.fields));
  if (!(reasons.length && reasons.every(Array.isArray) && reasons.flat().every(isText))) delete error.fields;
  return error;
}

/** The number if it is 0 or more, else null. */
export const nonNegative = (number: number): number | null => (number >= 0 ? number : null);

/**
 * `Retry-After` in seconds, from seconds or from a date (HEAD-8) relative to the `Date` header; null without one. If there are
 * several, because a proxy adds its own, the longest.
 */
export function retryAfterOf(headers: Headers | undefined, now: number): number | null {
  const text = headers?.get(retryAfterHeader) || "-";
  return (
    // Math.max converts strings to numbers.
    nonNegative(Math.max(...(text.split(",") as unknown[] as number[]))) ??
    nonNegative((Date.parse(text) - (Date.parse(headers?.get("date") as string) || now)) / 1000)
  );
}
