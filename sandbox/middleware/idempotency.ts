import { hash } from "node:crypto";
import { limits } from "../../generated/limits.ts";
import type { OperationRow } from "../../generated/operations.ts";
import type { ApiRequest, Success } from "../api/context.ts";
import { type ErrorResponse, errorResponse, invalidField } from "../api/error-response.ts";
import type { IdempotencyRecord, Replay } from "../domain/store.ts";

const window = limits.idempotencyWindow * 3_600_000;

const conflict = errorResponse(
  "409.idempotency_conflict",
  "This idempotency key was already used for a different request. Use a new key for new work.",
);

/**
 * The work that a call names with its `Idempotency-Key`; null where it names none or the operation takes none. An empty key names
 * nothing: else two callers who forgot theirs would get each other's answers.
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
  return { scope, key, fingerprint: fingerprint(operation.id, body), expiresAt: now + window };
}

/** Gives the earlier answer to the same request again, or refuses another request of the same name. */
export function replay(
  earlier: Replay,
  work: IdempotencyRecord,
  used?: number,
): Success | ErrorResponse<"409.idempotency_conflict"> {
  if (earlier.fingerprint !== work.fingerprint) return conflict;
  const success: Success = { status: earlier.response.status, body: earlier.response.body, replayed: true };
  if (used !== undefined) success.used = used;
  return success;
}

/** Tells one request from another: the operation, and the JSON value of the body, whatever the order of its names. */
function fingerprint(operation: string, body: unknown): string {
  return hash("sha256", `${operation} ${JSON.stringify(ordered(body))}`, "base64url");
}

/**
 * The value with the names of its objects in order, so that one call makes text of all of it: an object as the list of its names and values, an array as
 * a list with one list in it, which no object is.
 */
function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [value.map(ordered)];
  const named = value as Record<string, unknown>;
  const list: unknown[] = [];
  for (const name of Object.keys(named).sort()) list.push(name, ordered(named[name]));
  return list;
}
