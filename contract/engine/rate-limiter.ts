import { headers as responseHeaders } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { isSuccess } from "../exchange.ts";

interface RateLimiterOptions {
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Opens a new window without a wait, if something can. */
  open?(): Promise<boolean>;
  onWait(milliseconds: number): void;
}

const headers = {
  limit: responseHeaders.RateLimitLimit.name.toLowerCase(),
  remaining: responseHeaders.RateLimitRemaining.name.toLowerCase(),
};

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
    const oldest = sent[0];
    const full = sent.length >= limit - reserve || remaining <= reserve;
    const free = full ? (oldest ?? now()) + minute : 0;
    return Math.max(free, until) - now();
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
    /** Resolves when a request may be sent. */
    acquire: (): Promise<void> => {
      queue = queue.then(take);
      return queue;
    },
    /** Ends a request, with its response if there is one. */
    release: (response?: { status: number; headers: Record<string, string> }): void => {
      active -= 1;
      if (response === undefined) return;
      const ofLimit = Number(response.headers[headers.limit] ?? Number.NaN);
      const left = Number(response.headers[headers.remaining] ?? Number.NaN);
      if (Number.isInteger(ofLimit) && ofLimit > reserve) {
        limit = ofLimit;
        isKnown = true;
        // The missing header fails its check; waits for a limit that may not exist would only delay the report.
      } else if (isSuccess(response) && !isKnown) limit = Number.POSITIVE_INFINITY;
      if (Number.isInteger(left)) remaining = left - active;
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
