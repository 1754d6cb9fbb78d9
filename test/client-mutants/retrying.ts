import { setTimeout as pause } from "node:timers/promises";
import { jsonOf } from "../../lib/objects.ts";
import type { CreateDifference, ReceivedResponse, Send, SentRequest } from "./client-mutant.ts";

/** The result of an attempt. */
export interface Attempt {
  /** From 1. */
  number: number;
  request: SentRequest;
  /** Undefined if there was none. */
  response: ReceivedResponse | undefined;
  /** `error.type`. */
  type: string | undefined;
  /** `429 rate_limited`, or `lost` without a response. */
  outcome: string;
}

/** Which requests are sent again, and when. */
export interface RetryPolicy {
  attempts: number;
  isRetried(attempt: Attempt): boolean;
  /** Milliseconds until the next attempt. */
  pause(attempt: Attempt): number;
  /** Changes the request of a later attempt. */
  again(request: SentRequest, attempt: Attempt): SentRequest;
}

/** The header in seconds, from seconds or a date; 0 if it is missing. */
export function retryAfterOf({ response }: Attempt): number {
  const text = response?.headers.get("retry-after") ?? "0";
  const seconds = Number(text);
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(text) - Date.now()) / 1000 || 0) : seconds;
}

export const backoff = ({ number }: Attempt): number => 250 * 2 ** number;

/** Whether a request may be sent twice without an effect. */
const isRepeatable = ({ request }: Attempt): boolean =>
  request.method === "GET" || "idempotency-key" in request.headers;

/** A correct policy. */
export const usualPolicy: RetryPolicy = {
  attempts: 4,
  isRetried: (attempt) =>
    attempt.outcome === "429 rate_limited" ||
    (isRepeatable(attempt) && /^(500|502|503|lost)/.test(attempt.outcome)),
  pause: (attempt) => retryAfterOf(attempt) * 1000 + backoff(attempt),
  again: (request) => request,
};

/** The client with retries of another policy in place of its own. */
export function retrying(changes: Partial<RetryPolicy>): CreateDifference {
  const policy = { ...usualPolicy, ...changes };
  return () => ({ options: { attempts: 1 }, send: (request, next) => attempts(request, next, policy) });
}

async function attempts(first: SentRequest, next: Send, policy: RetryPolicy): Promise<ReceivedResponse> {
  let request = first;
  for (let number = 1; ; number += 1) {
    let response: ReceivedResponse | undefined;
    let lost: unknown;
    try {
      response = await next(request);
    } catch (error) {
      lost = error;
    }
    const type = typeOf(response);
    const outcome = response === undefined ? "lost" : `${response.status} ${type ?? ""}`.trim();
    const attempt: Attempt = { number, request, response, type, outcome };
    const isOver = request.signal.aborted || number >= policy.attempts;
    if (isOver || !policy.isRetried(attempt)) {
      if (response === undefined) throw lost;
      return response;
    }
    await pause(Math.max(0, policy.pause(attempt)), undefined, { signal: request.signal });
    request = policy.again(request, attempt);
  }
}

function typeOf(response: ReceivedResponse | undefined): string | undefined {
  if (response === undefined || response.status < 400) return undefined;
  const { error } = Object(jsonOf(response.body.toString())) as { error?: { type?: string } };
  return error?.type;
}
