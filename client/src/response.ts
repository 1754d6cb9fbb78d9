import type { ErrorFields } from "../../generated/client/models.ts";
import {
  idempotentReplayedHeader,
  monthlyQuotaHeader,
  monthlyRemainingHeader,
  rateLimitLimitHeader,
  rateLimitRemainingHeader,
  serviceRequestIdHeader,
} from "../../generated/client/table.ts";
import { ApiError } from "./errors.ts";
import type { RequestDetails } from "./options.ts";
import { nonNegative, type ResponseHandler } from "./request.ts";

/** A limit and what is left of it; null if the response does not say. */
export interface LimitStatus {
  limit: number | null;
  remaining: number | null;
}

/** A successful response with its metadata. */
export interface ApiResponse<Data> extends RequestDetails {
  data: Data;
  status: number;
  /** The id of the request in the API log of the dashboard (HEAD-1). */
  requestId: string | null;
  /** Messages per month; in responses to sends and batches only (HEAD-3, HEAD-4). */
  quota: LimitStatus;
  /** Requests per minute, for all keys of the account (HEAD-6, HEAD-7). */
  rateLimit: LimitStatus;
  /** Whether this is the response to an earlier request with the same idempotency key (IDEM-7). */
  replayed: boolean;
}

/** A promise of the data of a response. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The response with request id, quota, rate limit and attempts. */
  withResponse(): Promise<ApiResponse<Data>>;
}

/** Returns a success with a readable body. @throws ApiError for any other response */
export const toApiResponse: ResponseHandler<ApiResponse<unknown>> = (
  { headers, status },
  details,
  data,
  error,
  retryAfter,
  note,
) => {
  const number = (name: string) => nonNegative(+(headers.get(name) || "-"));
  const common = {
    ...details,
    status,
    requestId: headers.get(serviceRequestIdHeader) ?? error.request_id ?? null,
  };
  if (data)
    return {
      ...common,
      data,
      quota: { limit: number(monthlyQuotaHeader), remaining: number(monthlyRemainingHeader) },
      rateLimit: { limit: number(rateLimitLimitHeader), remaining: number(rateLimitRemainingHeader) },
      replayed: headers.get(idempotentReplayedHeader) === "true",
    };
  const { type = null, message = "no readable body", fields = null } = error;
  throw new ApiError(`${type ? `${status} ${type}` : status}: ${message}${summary(fields)}${note}`, {
    ...common,
    type,
    fields,
    retryAfter,
  });
};

/** The first reasons of up to four fields: ` subject: Is required.; to: Must be a list. and 2 more`. */
function summary(fields: ErrorFields | null): string {
  const first = Object.entries(fields ?? {}).map(([name, [reason]]) => ` ${name}: ${reason}`);
  const others = first.splice(4).length;
  return first.join(";") + (others ? ` and ${others} more` : "");
}
