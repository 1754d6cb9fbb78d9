import { headers } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";

const minute = 60_000;

/** The times of an account's calls within the last minute, the oldest first from `first` on. */
interface Window {
  times: number[];
  first: number;
}

/** Counts the calls of accounts: one budget for all keys of an account (Authentication 4). */
export interface RateLimiter {
  limitOf(accountId: string): number;
  /** Takes one call from the budget: how many are left, or the refusal when it is used up. */
  take(accountId: string, now: number): number | ErrorResponse<"429.rate_limited">;
  reset(): void;
}

/** How many calls accounts have in a minute: one number for all, or numbers by their ids, the service's for the others. */
export type RequestLimits = number | Readonly<Record<string, number>>;

/**
 * A budget over the last 60 seconds, whenever they began, so that no minute ever sees more than the limit. Calls that it refuses do
 * not count, or a client that keeps knocking would never get in again.
 */
export function createRateLimiter(given: RequestLimits = {}): RateLimiter {
  const windows = new Map<string, Window>();
  const limitOf = (accountId: string): number =>
    typeof given === "number" ? given : (given[accountId] ?? limits.requestsPerMinute);
  return {
    limitOf,
    take(accountId, now) {
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
  // Cutting off the front costs a copy, so it waits until half of the list is over.
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
    `This account has made ${limit} requests in the last minute. Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { [headers.RetryAfter.name]: String(seconds) },
  );
}
