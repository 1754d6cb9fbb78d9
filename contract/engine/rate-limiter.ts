import { headers as responseHeaders } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { type Exchange, isSuccess } from "../exchange.ts";

interface RateLimiterOptions {
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Opens a new window without a wait, if something can. */
  open?(): Promise<boolean>;
  onWait(milliseconds: number): void;
}

/** The rate limit and quota headers, in lower case. */
export const limitHeaders = {
  limit: responseHeaders.RateLimitLimit.name.toLowerCase(),
  left: responseHeaders.RateLimitRemaining.name.toLowerCase(),
  wait: responseHeaders.RetryAfter.name.toLowerCase(),
  quota: responseHeaders.MonthlyQuota.name.toLowerCase(),
  allowance: responseHeaders.MonthlyRemaining.name.toLowerCase(),
} as const;

/** A header with a number; NaN if it is missing or no integer. */
export function integerHeader({ headers }: Pick<Exchange, "headers">, name: keyof typeof limitHeaders) {
  const text = headers[limitHeaders[name]] ?? "";
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

const minute = 60_000;
/** Requests kept for others that use the account, and for clock differences. */
const reserve = 2;
/** Shorter waits are not worth a new window, in milliseconds. */
const shortest = 2_000;

/**
 * Keeps the requests of one account within its rate limit, which all its keys share (Authentication 4): a sliding window of 60 seconds
 * that never exceeds the remaining requests the server reports, because others may use the account.
 */
export function createRateLimiter({ now, wait, onWait, open }: RateLimiterOptions) {
  // If successful responses report no limit, there is none until a request is rejected for the rate limit; from then on it is this one.
  let limit: number = limits.requestsPerMinute;
  let isKnown = false;
  let remaining = Number.POSITIVE_INFINITY;
  let active = 0;
  let until = 0;
  const sent: number[] = [];
  let queue = Promise.resolve();

  const delay = (): number => {
    while (sent[0] !== undefined && sent[0] <= now() - minute) sent.shift();
    const full = sent.length >= limit - reserve || remaining <= reserve;
    return Math.max(full ? (sent[0] ?? now()) + minute : 0, until) - now();
  };
  const take = async (): Promise<void> => {
    for (let milliseconds = delay(); milliseconds > 0; milliseconds = delay()) {
      if (milliseconds < shortest || (await open?.()) !== true) {
        onWait(milliseconds);
        await wait(milliseconds);
      }
      // The last number is outdated; the next response reports a new one.
      remaining = Number.POSITIVE_INFINITY;
    }
    sent.push(now());
    remaining -= 1;
    active += 1;
  };
  return {
    /** Sends a request as soon as the limit allows it. */
    around: async <Made extends Pick<Exchange, "status" | "headers">>(send: () => Promise<Made>) => {
      queue = queue.then(take);
      await queue;
      const response = await send().finally(() => {
        active -= 1;
      });
      const [ofLimit, left] = [integerHeader(response, "limit"), integerHeader(response, "left")];
      if (ofLimit > reserve) {
        limit = ofLimit;
        isKnown = true;
        // The missing header fails its check; waits for a limit that may not exist would only delay the report.
      } else if (isSuccess(response) && !isKnown) limit = Number.POSITIVE_INFINITY;
      if (!Number.isNaN(left)) remaining = left - active;
      return response;
    },
    /** Sends nothing for so many seconds: the server rejected a request for the rate limit. */
    pause: (seconds: number): void => {
      if (!isKnown) limit = limits.requestsPerMinute;
      isKnown = true;
      until = Math.max(until, now() + seconds * 1000);
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;
