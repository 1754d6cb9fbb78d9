// The globals of Node that the sandbox uses, without their Node. The bundler inserts them where their names are used.

const encoder = new TextEncoder();
/** Like Node's, it keeps a byte order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of a `Buffer`. */
export class Bytes extends Uint8Array {
  override toString(encoding: "utf8" | "hex" | "base64" | "base64url" = "utf8"): string {
    if (encoding === "utf8") return decoder.decode(this);
    if (encoding === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const base64 = btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(""));
    if (encoding === "base64") return base64;
    return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
}

function from(bytes: ArrayBuffer, offset: number, length: number): Bytes;
function from(text: string, encoding?: "utf8" | "base64"): Bytes;
function from(given: ArrayBuffer | string, offset?: number | string, length?: number): Bytes {
  if (typeof given !== "string") return new Bytes(given, Number(offset), length);
  if (offset !== "base64") return new Bytes(encoder.encode(given));
  // It may have line breaks.
  return new Bytes(Array.from(atob(given.replaceAll(/\s/g, "")), (character) => character.charCodeAt(0)));
}

export const Buffer = {
  from,
  isBuffer: (value: unknown): value is Bytes => value instanceof Bytes,
  byteLength: (text: string): number => encoder.encode(text).length,
};

/** A timer with `unref`, which a page does not need: no timer keeps it open. */
class Timer {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  unref(): this {
    return this;
  }
}

type Callback = () => void;
const { setTimeout: startTimeout, setInterval: startInterval } = globalThis as unknown as Record<
  "setTimeout" | "setInterval",
  (callback: Callback, milliseconds?: number) => number
>;
const { clearTimeout: stop } = globalThis as unknown as { clearTimeout(id: number | undefined): void };

export const setTimeout = (callback: Callback, milliseconds?: number): Timer =>
  new Timer(startTimeout(callback, milliseconds));
export const setInterval = (callback: Callback, milliseconds?: number): Timer =>
  new Timer(startInterval(callback, milliseconds));
export const clearTimeout = (timer?: Timer): void => stop(timer?.id);
/** Timeouts and intervals share their ids (HTML standard, 8.7). */
export const clearInterval = (timer?: Timer): void => stop(timer?.id);
