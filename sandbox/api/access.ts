import { headers } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import type { OperationRow } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import { rateWindow } from "../domain/rate-windows.ts";
import type { Account, ApiKey } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import type { Directory } from "../seed/directory.ts";
import type { RequestLimits } from "./context.ts";
import { type ErrorResponse, errorResponse } from "./error-response.ts";

const missing = errorResponse(
  "401.unauthorized",
  "Send your API key in the header: Authorization: Bearer <API_KEY>.",
);
const unknown = errorResponse("401.unauthorized", "This API key was not issued by the service.");
const revoked = errorResponse("401.unauthorized", "This API key was revoked.");
const replaced = errorResponse("401.unauthorized", "This API key was replaced, and its overlap is over.");

const noPlan = {
  email: errorResponse("402.no_plan", "This account has no transactional email plan."),
  newsletter: errorResponse("402.no_plan", "This account does not have the newsletter."),
};

/** Finds the API key of a request. A missing, unknown, revoked or replaced one is rejected with 401. */
export function findKey(authorization: string | undefined, directory: Directory, now: number) {
  // The scheme is case-insensitive (RFC 9110, 11.1).
  const [, presented] = /^bearer (.*)$/is.exec(authorization ?? "") ?? [];
  if (presented === undefined) return missing;
  const key = directory.key(presented.trim());
  if (key === undefined) return unknown;
  if (key.revoked) return revoked;
  // The stop time itself is over.
  if (key.stopsAt !== null && now >= key.stopsAt) return replaced;
  return key;
}

/** Rejects a key without the ability of the operation, and an account without its product. */
export function checkAccess({ ability, product }: OperationRow, key: ApiKey, account: Account) {
  if (ability !== null && !key.abilities.includes(ability))
    return errorResponse("403.forbidden", `This API key does not have the ability ${ability}.`);
  return product === null || account.products[product] ? undefined : noPlan[product];
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

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
    async take(accountId: string, now: number): Promise<number | ErrorResponse<"429.rate_limited">> {
      const limit = limitOf(accountId);
      const { used, oldest } = await store.countRequest(accountId, now, limit);
      return used < limit ? limit - used - 1 : tooMany(limit, (oldest ?? now) + rateWindow - now);
    },
  };
}

function tooMany(limit: number, wait: number): ErrorResponse<"429.rate_limited"> {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return errorResponse(
    "429.rate_limited",
    `This account has made ${limit} requests in the last minute. Wait ${count(seconds, "second")}.`,
    { [headers.RetryAfter.name]: String(seconds) },
  );
}
