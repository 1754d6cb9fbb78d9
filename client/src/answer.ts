import type { Error as ErrorBody } from "../../generated/client/models.ts";
import {
  idempotentReplayedHeader,
  monthlyQuotaHeader,
  monthlyRemainingHeader,
  rateLimitLimitHeader,
  rateLimitRemainingHeader,
  requestIdHeader,
} from "../../generated/client/table.ts";
import { ApiError, type Circumstances } from "./errors.ts";
import type { Settle } from "./exchange.ts";
import { countOf } from "./reading.ts";

/** A number that the service allows, and how much of it is left; null where the answer does not say. */
export interface Budget {
  limit: number | null;
  remaining: number | null;
}

/** An answer with all that came with it. */
export interface Answer<Data> extends Circumstances {
  data: Data;
  status: number;
  /** Names the call in the log of the dashboard (HEAD-1). */
  requestId: string | null;
  /** Messages in a month; in answers to sends and batches only (HEAD-3, HEAD-4). */
  quota: Budget;
  /** Requests in a minute, for all keys of the account (HEAD-6, HEAD-7). */
  rateLimit: Budget;
  /** Whether this is the answer to an earlier call with the same idempotency key (IDEM-7). */
  replayed: boolean;
}

/** An answer on its way: await it for the data alone, or call `withResponse`. */
export interface Call<Data> extends Promise<Data> {
  /** The answer with request id, quota, rate limit and attempts. */
  withResponse(): Promise<Answer<Data>>;
}

/** The answer, where it is a success with a body that can be read. @throws ApiError otherwise */
export const answerOf: Settle<Answer<unknown>> = (
  { headers, status },
  about,
  data,
  error,
  retryAfter,
  note,
) => {
  const number = (name: string) => countOf(+(headers.get(name) || "-"));
  const common = {
    ...about,
    status,
    requestId: headers.get(requestIdHeader) ?? (error.request_id as string) ?? null,
  };
  if (data)
    return {
      ...common,
      data,
      quota: { limit: number(monthlyQuotaHeader), remaining: number(monthlyRemainingHeader) },
      rateLimit: { limit: number(rateLimitLimitHeader), remaining: number(rateLimitRemainingHeader) },
      replayed: headers.get(idempotentReplayedHeader) === "true",
    };
  const { type = null, message = "no readable body", fields = null } = error as Partial<ErrorBody["error"]>;
  throw new ApiError(`${type ? `${status} ${type}` : status}: ${message}${note}`, {
    ...common,
    type,
    fields,
    retryAfter,
  });
};
