import { rateLimitRemainingHeader, requestsPerMinute } from "../../generated/client/table.ts";
import type { Clock, Hook } from "./options.ts";
import { retryAfterOf } from "./request.ts";
import { createTimer, maxDelay } from "./time.ts";

const minute = 60_000;

export interface LimiterOptions {
  /** Requests per minute until the first response; default: the limit of the contract. After that, the rate limit headers count. */
  perMinute?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * Creates a hook that keeps requests within the rate limit of the account (LIMIT-1, LIMIT-2): attempts wait, in order, until
 * requests remain. It reads the rate limit headers, which include the requests of other programs. Use one limiter for all
 * clients of an account. The wait counts towards the `timeout` of a request: raise it if you start more requests at once
 * than two minutes allow.
 */
export function createLimiter(options: LimiterOptions = {}): Hook {
  const { perMinute = requestsPerMinute, clock = globalThis as Clock } = options;
  const { now } = clock.Date;
  let remaining = perMinute;
  // Start times of attempts without a result; an attempt that never gets one is dropped after a minute.
  let pending: number[] = [];
  let blockedUntil = 0;
  let started: number[] = [];
  let changed = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  // A time in the future was recorded before the clock was set back.
  const isRecent = (time: number) => time > now() - minute && time <= now();

  const waitForCapacity = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const recent = started.filter(isRecent);
      // A minute after an attempt at least one request remains, however the service counts; the response has the exact number.
      if (recent.length < started.length || started.length === 0) remaining = Math.max(remaining, 1);
      started = recent;
      const until = Math.max(blockedUntil, remaining > 0 ? 0 : Math.min(...started) + minute);
      if (until <= now()) {
        started.push(now());
        remaining--;
        pending.push(now());
        return;
      }
      changed = new AbortController();
      const either = AbortSignal.any([signal, changed.signal]);
      await createTimer(clock, now() + maxDelay, either)(Math.min(until - now(), maxDelay)).catch(() => {});
    }
  };

  return (event) => {
    if (event.type === "attempt") {
      const waited = last.then(() => waitForCapacity(event.signal));
      last = waited.catch(() => {});
      return waited;
    }
    if (event.type !== "result") return;
    const index = started.indexOf(pending.shift() ?? Number.NaN);
    // The service may have counted it only now.
    if (index >= 0) started[index] = now();
    pending = pending.filter(isRecent);
    const { headers, status } = event.response ?? {};
    const left = headers?.get(rateLimitRemainingHeader);
    if (left && +left >= 0) remaining = +left - pending.length;
    // Other errors with this status are not about the rate limit.
    if (status === 429 && event.error.type === "rate_limited") {
      const seconds = retryAfterOf(headers, now()) ?? 0;
      blockedUntil = Math.max(blockedUntil, now() + seconds * 1000);
      // After `Retry-After` one attempt finds out how many requests remain.
      remaining = seconds > 0 ? 1 : 0;
    }
    // Waiting attempts check again.
    changed.abort();
  };
}
