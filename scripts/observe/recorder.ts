import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { TrafficExchange } from "./traffic.ts";

/** The start of a body that is kept, in bytes. A longer body is passed on, and not compared. */
const most = 256 * 1024;

/** Keeps what the checks need of one exchange that passes through. */
export class Recorder {
  readonly #request: IncomingMessage;
  readonly #base: string;
  readonly #onExchange: (exchange: TrafficExchange) => void;
  readonly #startedAt = performance.timeOrigin + performance.now();
  readonly #sent: Buffer[] = [];
  readonly #received: Buffer[] = [];
  #sentBytes = 0;
  #receivedBytes = 0;
  #isOver = false;

  constructor(request: IncomingMessage, base: string, onExchange: (exchange: TrafficExchange) => void) {
    this.#request = request;
    this.#base = base;
    this.#onExchange = onExchange;
  }

  sent(chunk: Buffer): void {
    this.#sentBytes += chunk.length;
    if (this.#sentBytes <= most) this.#sent.push(chunk);
  }

  received(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes <= most) this.#received.push(chunk);
  }

  /** The response is complete. */
  end({ statusCode = 0, headers }: IncomingMessage): void {
    this.#report(statusCode, headers);
  }

  /** There is no complete response. */
  fail(): void {
    this.#report(0, {});
  }

  #report(status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = "GET", url = "/" } = this.#request;
    const responseBody = decoded(this.#received, headers["content-encoding"]);
    const isCut = this.#sentBytes > most || this.#receivedBytes > most || responseBody === undefined;
    this.#onExchange({
      startedAt: this.#startedAt,
      milliseconds: performance.timeOrigin + performance.now() - this.#startedAt,
      method,
      url: this.#base + url,
      requestHeaders: texts(this.#request.headers),
      requestBody: this.#sentBytes === 0 ? undefined : textOf(this.#sent),
      status,
      responseHeaders: texts(headers),
      responseBody: responseBody ?? "",
      ...(isCut && { isCut }),
    });
  }
}

const textOf = (chunks: readonly Buffer[]): string =>
  chunks.length === 1 ? (chunks[0] as Buffer).toString() : Buffer.concat(chunks).toString();

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders = new Map<string, Decoder>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** A body as text; undefined if its encoding is not known or it is cut. */
function decoded(chunks: readonly Buffer[], encoding = "identity"): string | undefined {
  if (chunks.length === 0) return "";
  if (encoding === "identity") return textOf(chunks);
  try {
    const decode = decoders.get(encoding.toLowerCase());
    return decode?.(Buffer.concat(chunks), { maxOutputLength: 16 * most }).toString();
  } catch {
    return undefined;
  }
}

function texts(headers: IncomingHttpHeaders): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) all[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return all;
}
