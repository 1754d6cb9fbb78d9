import { headers } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { count } from "../../lib/count.ts";
import type { RequestLimits } from "../api/context.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";

const minute = 60_000;

/** The times of an account's requests within the last minute, in order, from index `first` on. */
interface Window {
  times: number[];
  first: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Counts the requests of accounts, with all keys of an account together (Authentication 4), in a sliding window of 60 seconds. Rejected
 * requests do not count: otherwise a client that does not wait would never be accepted again.
 */
export function createRateLimiter(limitsGiven: RequestLimits = {}) {
  const windows = new Map<string, Window>();
  const own = new Map(typeof limitsGiven === "number" ? [] : Object.entries(limitsGiven));
  const usual = typeof limitsGiven === "number" ? limitsGiven : limits.requestsPerMinute;
  const limitOf = (accountId: string): number => own.get(accountId) ?? usual;
  return {
    limitOf,
    /** Counts a request. @returns how many requests remain, or the 429 of one beyond the limit */
    take(accountId: string, now: number): number | ErrorResponse<"429.rate_limited"> {
      const limit = limitOf(accountId);
      let window = windows.get(accountId);
      if (window === undefined) {
        window = { times: [], first: 0 };
        windows.set(accountId, window);
      }
      dropOld(window, now - minute);
      const used = window.times.length - window.first;
      if (used >= limit) return tooMany(limit, (window.times[window.first] ?? now) + minute - now);
      window.times.push(now);
      return limit - used - 1;
    },
    reset: () => windows.clear(),
  };
}

function dropOld(window: Window, until: number): void {
  const { times } = window;
  let first = window.first;
  while (first < times.length && (times[first] ?? 0) <= until) first += 1;
  // Removing the start copies the rest, so it waits until half of the list is old.
  if (first > 256 && first * 2 > times.length) {
    times.splice(0, first);
    first = 0;
  }
  window.first = first;
}

function tooMany(limit: number, wait: number): ErrorResponse<"429.rate_limited"> {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return errorResponse(
    "429.rate_limited",
    `This account has made ${limit} requests in the last minute. Wait ${count(seconds, "second")}.`,
    { [headers.RetryAfter.name]: String(seconds) },
  );
}
