import { type OperationErrors, operationErrors } from "../../generated/client/errors.ts";
import type { ErrorFields, ErrorType } from "../../generated/client/models.ts";
import type { RequestDetails } from "./options.ts";
import { check } from "./validate.ts";

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

/** An error that the contract lists for an operation, with its type and status. */
export type ErrorOf<Operation extends keyof OperationErrors> = Omit<ApiError, "status" | "type"> &
  OperationErrors[Operation];

/**
 * Whether the contract lists an error for an operation. Narrows `status` to those of the operation, and `type` by the status; a
 * 5xx may have any type. Returns false for errors that were added later: handle those by their status (GEN-12).
 * @throws TypeError for an unknown operation
 */
export function isErrorOf<Operation extends keyof OperationErrors>(
  error: unknown,
  operation: Operation,
): error is ErrorOf<Operation> {
  const errors = operationErrors[operation];
  check(errors, "operation must be an operation id such as sendEmail", operation);
  if (!(error instanceof ApiError)) return false;
  const known: readonly string[] = errors.split(" ");
  return known.includes(`${error.status}.${error.type}`) || known.includes(`${error.status}`);
}

/** The field errors of each invalid message of a batch, by its index (BATCH-8). */
export function fieldsByMessage({ fields }: { fields: ErrorFields | null }): Map<number, ErrorFields> {
  const messages = new Map<number, ErrorFields>();
  for (const [name, reasons] of Object.entries(fields ?? {})) {
    const [, index, field = ""] = /^emails\.(\d+)\.?(.*)$/s.exec(name) ?? [];
    if (index) messages.set(+index, { ...messages.get(+index), [field]: reasons });
  }
  return messages;
}
