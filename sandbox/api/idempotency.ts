import { hash } from "node:crypto";
import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import type { IdempotencyRecord, Replay } from "../domain/store.ts";
import type { RequestContext } from "./context.ts";
import { type ErrorResponse, errorResponse, invalidField } from "./error-response.ts";

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
  context: Pick<RequestContext, "request" | "operation" | "key" | "now" | "body">,
): IdempotencyRecord | null | ErrorResponse<"422.invalid_request"> {
  const key = context.request.headers["idempotency-key"];
  if (key === undefined || key === "" || !context.operation.idempotent) return null;
  if (key.length > limits.idempotencyKeyLength) {
    const sentence = `Must not be longer than ${limits.idempotencyKeyLength} characters.`;
    return invalidField("Idempotency-Key", sentence);
  }
  const digest = fingerprint(context.operation.id, context.body);
  return { scope: context.key.id, key, expiresAt: context.now + window, fingerprint: digest };
}

/** Replays the earlier response to the same request, or rejects a different request with the same key. */
export function replay(earlier: Replay, record: IdempotencyRecord | null, used?: number) {
  if (earlier.fingerprint !== record?.fingerprint) return conflict;
  return { ...earlier.response, replayed: true, ...(used !== undefined && { used }) };
}

/** Identifies a request by its operation and the JSON value of its body, whatever the order of properties. */
export const fingerprint = (operation: string, body: unknown): string =>
  hash("sha256", operation + canonical(body), "base64url");

/** JSON with sorted properties, and with digests of long texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => `${canonical(item)},`).join("")}]`;
  if (typeof value === "string" && value.length > piece) return `#${value.length}:${digest(value)}`;
  if (!isObject(value)) return JSON.stringify(value);
  const properties = Object.keys(value).sort();
  return `{${properties.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join("")}}`;
}

/** How much is hashed at once, in characters: a copy of a text of tens of megabytes would take as much memory again. */
const piece = 65_536;

function digest(text: string): string {
  let sum = "";
  for (let at = 0; at < text.length; at += piece)
    sum = hash("sha256", sum + JSON.stringify(text.slice(at, at + piece)));
  return sum;
}
