import type { ErrorFields, ErrorType } from "../../generated/client/models.ts";

/** What every failed call tells. */
export interface Circumstances {
  method: string;
  url: string;
  /** How often the call was tried. */
  attempts: number;
  /** Give it to the same call again: what was done already is not done twice (IDEM-10). Undefined where the operation takes none. */
  idempotencyKey: string | undefined;
}

/** What an answer tells of a failure. */
export interface Problem extends Circumstances {
  status: number;
  /**
   * What programs decide by (ERR-2). New types may come (GEN-12): take one that you do not know as a failure of its
   * status. Null where the answer names none.
   */
  type: ErrorType | null;
  /** What is wrong, by field; in a batch by `emails.<index>.<field>`; null where no field is to blame. */
  fields: ErrorFields | null;
  /** Names the call in the log of the dashboard. */
  requestId: string | null;
  /** How long to wait before calling again, in seconds; null where the answer does not say. */
  retryAfter: number | null;
}

/** A call that failed. */
export class CallError extends Error {
  declare readonly method: string;
  declare readonly url: string;
  declare readonly attempts: number;
  declare readonly idempotencyKey: string | undefined;
  constructor(message: string, more: Circumstances & Partial<Problem>) {
    Object.assign(super(message) as unknown as this, more);
  }
}

/**
 * The service answered, and it was no success, or a success that cannot be read: `status` is then below 300, and the work
 * was most likely done.
 */
export class ApiError extends CallError {
  override name = "ApiError";
  declare readonly status: Problem["status"];
  declare readonly type: Problem["type"];
  declare readonly fields: Problem["fields"];
  declare readonly requestId: Problem["requestId"];
  declare readonly retryAfter: Problem["retryAfter"];
}

/** No answer came, or only a part of one. The work may have been done. */
export class ConnectionError extends CallError {
  override name = "ConnectionError";
}

/** Time ran out before the answer was there. The work may have been done. */
export class TimeoutError extends CallError {
  override name = "TimeoutError";
}
