// The part of `node:crypto` that the sandbox uses, synchronous as there.
import { sha256 } from "@noble/hashes/sha2.js";
import { Bytes } from "./globals.ts";

type Encoding = "hex" | "base64" | "base64url";

/** Both bytes of each UTF-16 code unit, the lower first. */
function utf16(text: string): Uint8Array {
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return new Uint8Array(units.buffer);
}

const bytesOf = (text: string, encoding?: "utf16le"): Uint8Array =>
  encoding === "utf16le" ? utf16(text) : new TextEncoder().encode(text);

/** SHA-256 of a text that comes in pieces. */
export class Hash {
  readonly #hash = sha256.create();

  update(text: string, encoding?: "utf16le"): this {
    this.#hash.update(bytesOf(text, encoding));
    return this;
  }

  digest(encoding: Encoding): string {
    return new Bytes(this.#hash.digest()).toString(encoding);
  }
}

export const createHash = (_algorithm: "sha256"): Hash => new Hash();

export const hash = (algorithm: "sha256", text: string, encoding: Encoding = "hex"): string =>
  createHash(algorithm).update(text).digest(encoding);

export function randomBytes(length: number): Bytes {
  const bytes = new Uint8Array(length);
  crypto.getRandomValues(bytes);
  return new Bytes(bytes);
}

/** A page without TLS has no `crypto.randomUUID`. */
export function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
