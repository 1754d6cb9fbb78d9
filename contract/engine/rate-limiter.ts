import { isSuccess } from "../exchange.ts";

/** Keeps the requests of one account within its rate limit, which all its keys share (Authentication 4). */
export interface RateLimiter {
  /** Resolves when a request may be sent. */
  acquire(): Promise<void>;
  /** Ends a request, with its response if there is one. */
  release(response?: { status: number; headers: Record<string, string> }): void;
  /** Sends nothing for so many seconds: the server rejected a request for the rate limit. */
  pause(seconds: number): void;
}

export interface RateLimiterOptions {
  /**
   * Requests per minute until the first response. If successful responses report no limit, there is none until a request is rejected
   * for the rate limit; from then on it is this one.
   */
  limit: number;
  /** The lower-case names of the headers with the limit and the remaining requests. */
  headers: { limit: string; remaining: string };
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Called with each wait, in milliseconds. */
  onWait(milliseconds: number): void;
}

const minute = 60_000;
/** Requests kept for others that use the account, and for clock differences. */
const reserve = 2;

/** A sliding window of 60 seconds that never exceeds the remaining requests the server reports: others may use the account. */
export function createRateLimiter({
  limit: first,
  headers,
  now,
  wait,
  onWait,
}: RateLimiterOptions): RateLimiter {
  let limit = first;
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
      onWait(milliseconds);
      await wait(milliseconds);
      // The last number is outdated; the next response reports a new one.
      remaining = Number.POSITIVE_INFINITY;
    }
    sent.push(now());
    remaining -= 1;
    active += 1;
  };
  return {
    acquire: () => {
      queue = queue.then(take);
      return queue;
    },
    release: (response) => {
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
    pause: (seconds) => {
      if (!isKnown) limit = first;
      isKnown = true;
      until = Math.max(until, now() + seconds * 1000);
    },
  };
}
