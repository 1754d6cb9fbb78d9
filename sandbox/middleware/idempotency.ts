import { limits } from "../../generated/limits.ts";
import type { OperationRow } from "../../generated/operations.ts";
import type { ApiRequest, Success } from "../api/context.ts";
import { type ErrorResponse, errorResponse, invalidField } from "../api/error-response.ts";
import type { IdempotencyRecord, Replay } from "../domain/store.ts";
import { fingerprint } from "./fingerprint.ts";

const window = limits.idempotencyWindow * 3_600_000;

const conflict = errorResponse(
  "409.idempotency_conflict",
  "This idempotency key was already used for a different request. Use a new key for each new request.",
);

/**
 * The idempotency record of a request; null without an `Idempotency-Key`, or for an operation that does not accept one. An empty key counts as
 * none: otherwise two clients that forgot theirs would get each other's responses.
 */
export function idempotencyRecord(
  request: ApiRequest,
  operation: OperationRow,
  scope: string,
  body: unknown,
  now: number,
): IdempotencyRecord | null | ErrorResponse<"422.invalid_request"> {
  const key = request.headers["idempotency-key"];
  if (key === undefined || key === "" || !operation.idempotent) return null;
  if (key.length > limits.idempotencyKeyLength) {
    const sentence = `Must not be longer than ${limits.idempotencyKeyLength} characters.`;
    return invalidField("Idempotency-Key", sentence);
  }
  let known: string | undefined;
  return {
    scope,
    key,
    /** Hashed when it is needed first: a rejected request rarely needs it, and its body may be large. */
    get fingerprint() {
      known ??= fingerprint(operation.id, body);
      return known;
    },
    expiresAt: now + window,
  };
}

/** Replays the earlier response to the same request, or rejects a different request with the same key. */
export function replay(
  earlier: Replay,
  record: IdempotencyRecord | null,
  used?: number,
): Success | ErrorResponse<"409.idempotency_conflict"> {
  if (record === null) throw new Error("The store replayed a request without an idempotency key.");
  if (earlier.fingerprint !== record.fingerprint) return conflict;
  const success: Success = { status: earlier.response.status, body: earlier.response.body, replayed: true };
  if (used !== undefined) success.used = used;
  return success;
}
