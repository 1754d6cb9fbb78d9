import type { ErrorFields, ErrorType } from "../../generated/client/models.ts";

/** What is known about a request, whatever its response. */
export interface RequestDetails {
  method: string;
  url: string;
  /** How many attempts were made. */
  attempts: number;
  /** Pass it to the same request again to repeat it safely (IDEM-10). Undefined if the operation takes none. */
  idempotencyKey: string | undefined;
}

/** The details of an error response. */
export interface ErrorDetails extends RequestDetails {
  status: number;
  /**
   * The error type to branch on (ERR-2). New types may be added (GEN-12): treat an unknown one as a generic error with that status.
   * Null if the response has none.
   */
  type: ErrorType | null;
  /** Messages by field, in a batch by `emails.<index>.<field>`; null if no field is invalid. */
  fields: ErrorFields | null;
  /** The id of the request in the API log of the dashboard. */
  requestId: string | null;
  /** Seconds to wait before the next request; null if the response does not say. */
  retryAfter: number | null;
}

/** A request that failed. */
export class RequestError extends Error {
  declare readonly method: string;
  declare readonly url: string;
  declare readonly attempts: number;
  declare readonly idempotencyKey: string | undefined;
  constructor(message: string, details: RequestDetails & Partial<ErrorDetails> & { cause?: unknown }) {
    Object.assign(super(message, details) as unknown as this, details);
  }
}

/**
 * An error response, or a success with an unreadable body: `status` is below 300 then, and the operation most likely
 * succeeded.
 */
export class ApiError extends RequestError {
  override name = "ApiError";
  declare readonly status: ErrorDetails["status"];
  declare readonly type: ErrorDetails["type"];
  declare readonly fields: ErrorDetails["fields"];
  declare readonly requestId: ErrorDetails["requestId"];
  declare readonly retryAfter: ErrorDetails["retryAfter"];
}

/** There was no response, or only a part of one. The operation may have succeeded. */
export class ConnectionError extends RequestError {
  override name = "ConnectionError";
  /** The message of the innermost error of `fetch`, and its code, such as `ECONNREFUSED`. */
  declare readonly cause: Error & { code: string | undefined };
}

/** The request timed out. The operation may have succeeded. */
export class TimeoutError extends RequestError {
  override name = "TimeoutError";
}
