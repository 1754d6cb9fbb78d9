import { sha256 } from "@noble/hashes/sha2.js";
import ipaddr from "ipaddr.js";
import { ControlError } from "../../../../sandbox/control/operation.ts";
import { Bytes, clearTimeout, setTimeout as start } from "./globals.ts";

// The part of `node:buffer` that the sandbox uses.

const strict = new TextDecoder("utf-8", { fatal: true });

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// The part of `node:crypto` that the sandbox uses, synchronous as there.

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

// The part of `node:http` that the sandbox uses: Node's default limit, in bytes.
export const maxHeaderSize = 16_384;

// The part of `node:net` that the sandbox uses.

/** 4 or 6 for an IP address in its usual notation, 0 for any other text. */
export function isIP(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return text.includes(":") && ipaddr.IPv6.isValid(text) ? 6 : 0;
}

/** Only downloads use it, and a page has none. */
export class BlockList {}

// The part of `node:timers` and `node:timers/promises` that the sandbox uses.

/** Resolves with the value after this time, or rejects with the reason of the signal. */
export function setTimeout<Value>(
  milliseconds: number,
  value?: Value,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

// Instead of the composer of MIME messages, which needs the streams of Node.

export function compose(): never {
  throw new ControlError(
    501,
    "The sandbox in this page does not compose MIME messages.",
    "Start a sandbox with `npx email-api-contract sandbox`.",
  );
}
