import { headers } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { count } from "../../lib/text.ts";
import type { RequestLimits } from "../api/context.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import { rateWindow } from "../domain/rate-windows.ts";
import type { RateWindow, Store } from "../domain/store.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

type Taken = number | ErrorResponse<"429.rate_limited">;

/**
 * Counts the requests of accounts, with all keys of an account together (Authentication 4), in a sliding window of 60 seconds. Rejected
 * requests do not count: otherwise a client that does not wait would never be accepted again.
 */
export function createRateLimiter(store: Pick<Store, "countRequest">, limitsGiven: RequestLimits = {}) {
  const own = new Map(typeof limitsGiven === "number" ? [] : Object.entries(limitsGiven));
  const usual = typeof limitsGiven === "number" ? limitsGiven : limits.requestsPerMinute;
  const limitOf = (accountId: string): number => own.get(accountId) ?? usual;
  return {
    limitOf,
    /** Counts a request. @returns how many requests remain, or the 429 of one beyond the limit */
    take(accountId: string, now: number): Taken | Promise<Taken> {
      const limit = limitOf(accountId);
      const window = store.countRequest(accountId, now, limit);
      return window instanceof Promise
        ? window.then((counted) => takenFrom(counted, limit, now))
        : takenFrom(window, limit, now);
    },
  };
}

const takenFrom = ({ used, oldest }: RateWindow, limit: number, now: number): Taken =>
  used < limit ? limit - used - 1 : tooMany(limit, (oldest ?? now) + rateWindow - now);

function tooMany(limit: number, wait: number): ErrorResponse<"429.rate_limited"> {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return errorResponse(
    "429.rate_limited",
    `This account has made ${limit} requests in the last minute. Wait ${count(seconds, "second")}.`,
    { [headers.RetryAfter.name]: String(seconds) },
  );
}
