import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import ipaddr from "ipaddr.js";
import { ControlError } from "../../../../sandbox/control/operation.ts";

// The part of `node:crypto` that the sandbox uses, synchronous as there.

export function hash(_algorithm: "sha256", text: string, encoding: "hex" | "base64url" = "hex"): string {
  const digest = sha256(new TextEncoder().encode(text));
  if (encoding === "hex") return bytesToHex(digest);
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

// The part of `node:http` that the sandbox uses: Node's default limit, in bytes.
export const maxHeaderSize = 16_384;

// The part of `node:net` that the sandbox uses.

/** 4 or 6 for an IP address in its usual notation, 0 for any other text. */
export function isIP(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return text.includes(":") && ipaddr.IPv6.isValid(text) ? 6 : 0;
}

// The part of `node:timers` and `node:timers/promises` that the sandbox uses.

/** Resolves with the value after this time, or rejects with the reason of the signal. */
export const setTimeout = <Value>(
  milliseconds: number,
  value?: Value,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Value | undefined> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });

// Instead of the composer of MIME messages, which needs the streams of Node.

export function compose(): never {
  throw new ControlError(
    "The sandbox in this page does not compose MIME messages.",
    "Start a sandbox with `npx --no email-api-contract sandbox`.",
    501,
  );
}
