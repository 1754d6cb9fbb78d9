import { createHash, type Hash, hash } from "node:crypto";
import { limits } from "../../generated/limits.ts";
import type { IdempotencyRecord, Replay } from "../domain/store.ts";
import type { RequestContext, Success } from "./context.ts";
import { type ErrorResponse, errorResponse, invalidField } from "./error-response.ts";

/** The largest body that is hashed at once, in bytes. */
const mostAtOnce = 65_536;

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
  context: Pick<RequestContext, "request" | "operation" | "key" | "now" | "body" | "bytes">,
): IdempotencyRecord | null | ErrorResponse<"422.invalid_request"> {
  const key = context.request.headers["idempotency-key"];
  if (key === undefined || key === "" || !context.operation.idempotent) return null;
  if (key.length > limits.idempotencyKeyLength) {
    const sentence = `Must not be longer than ${limits.idempotencyKeyLength} characters.`;
    return invalidField("Idempotency-Key", sentence);
  }
  const { operation, body, bytes } = context;
  const record = { scope: context.key.id, key, expiresAt: context.now + window };
  if (bytes > mostAtOnce) return new LateRecord(record, () => fingerprint(operation.id, body));
  return { ...record, fingerprint: fingerprint(operation.id, body) };
}

/**
 * The record of a large request, hashed when this is needed first: a rejected one rarely needs it. The values of a small one are not kept for that,
 * because they would outlive the parts of memory that are collected quickly.
 */
class LateRecord implements IdempotencyRecord {
  readonly scope: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly #compute: () => string;
  #fingerprint: string | undefined;

  constructor(record: Omit<IdempotencyRecord, "fingerprint">, compute: () => string) {
    this.scope = record.scope;
    this.key = record.key;
    this.expiresAt = record.expiresAt;
    this.#compute = compute;
  }

  get fingerprint(): string {
    this.#fingerprint ??= this.#compute();
    return this.#fingerprint;
  }
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

/** How much is hashed at once, in characters: a body may have tens of megabytes, and a copy of all of it would take as much memory again. */
const piece = 65_536;

/** Identifies a request by its operation and the JSON value of its body, whatever the order of properties. */
export function fingerprint(operation: string, body: unknown): string {
  const pieces = new Pieces(operation);
  addValue(pieces, body);
  return pieces.digest();
}

/** A text that is hashed in pieces while it grows. */
class Pieces {
  #text: string;
  #hash: Hash | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= piece) this.#update();
  }

  /** Adds a long text as it is, after its length. JSON of it would take longer than its hash; UTF-8 has no unpaired surrogates. */
  addLong(text: string): void {
    this.#text += `#${text.length}:`;
    let rest = this.#update();
    for (let at = 0; at < text.length; at += piece) rest = rest.update(text.slice(at, at + piece), "utf16le");
  }

  digest(): string {
    const encoding = "base64url";
    return this.#hash?.update(this.#text).digest(encoding) ?? hash("sha256", this.#text, encoding);
  }

  #update(): Hash {
    this.#hash ??= createHash("sha256");
    this.#hash.update(this.#text);
    this.#text = "";
    return this.#hash;
  }
}

/** Adds a value as JSON with sorted properties, but for long texts. */
function addValue(pieces: Pieces, value: unknown): void {
  if (typeof value === "string") {
    if (value.length > piece) pieces.addLong(value);
    else pieces.add(JSON.stringify(value));
  } else if (typeof value !== "object" || value === null) pieces.add(String(value));
  else if (Array.isArray(value)) {
    pieces.add("[");
    for (const item of value) {
      addValue(pieces, item);
      pieces.add(",");
    }
    pieces.add("]");
  } else {
    const named = value as Record<string, unknown>;
    pieces.add("{");
    for (const name of Object.keys(named).sort()) {
      pieces.add(`${JSON.stringify(name)}:`);
      addValue(pieces, named[name]);
    }
    pieces.add("}");
  }
}
