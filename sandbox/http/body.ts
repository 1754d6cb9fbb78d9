import type { IncomingMessage } from "node:http";
import { type ApiRequest, bodyLimits } from "../api/context.ts";

/** Counts the bytes of all bodies in memory. */
export class BodyRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** Reserves bytes. @returns false, without reserving any, when there is not enough room */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** How much of an omitted body is discarded before the connection closes: until then the client can read the response. */
const discarded = 4 * bodyLimits.api;

interface Collecting {
  /** The largest body that is kept, in bytes. */
  limit: number;
  room: BodyRoom;
  /** Tells a client that sent `Expect: 100-continue` to send its body. */
  proceed(): void;
}

/** The bytes of a body, null for none, or why they were omitted. */
interface Collected extends Pick<ApiRequest, "body" | "release"> {
  omitted: ApiRequest["bodyOmitted"];
  /** Call it once the bytes are not needed any more. */
  free(): void;
}

/**
 * Reads the body of a request and then calls `done`. For an omitted body it does so at once and discards the rest, so that a client which
 * writes everything before it reads gets the response. It does not call `done` for a request that breaks off.
 */
export function collect(
  request: IncomingMessage,
  collecting: Collecting,
  done: (collected: Collected) => void,
): void {
  const { limit, room, proceed } = collecting;
  if (!hasBody(request)) {
    proceed();
    done({ body: null, omitted: undefined, free: () => {} });
    return;
  }
  const collector = new Collector(request, collecting, done);
  const early = omittedByLength(request, limit, room);
  if (early === undefined) proceed();
  else collector.omit(early);
  request.on("data", (chunk: Uint8Array<ArrayBuffer>) => collector.add(chunk));
  request.on("end", () => collector.end());
  // The connection broke off: nobody gets a response.
  request.on("error", () => {});
  request.on("close", () => collector.close());
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** Why a body is omitted before any of it comes in. */
function omittedByLength(
  { headers }: IncomingMessage,
  limit: number,
  room: BodyRoom,
): ApiRequest["bodyOmitted"] {
  const declared = Number(headers["content-length"] ?? 0);
  if (limit === 0 || declared > limit) return "too large";
  return declared > room.left ? "no room" : undefined;
}

/** The body of a request while it comes in. */
class Collector {
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #room: BodyRoom;
  readonly #done: (collected: Collected) => void;
  readonly #bytes: BodyBytes;
  #size = 0;
  #kept = 0;
  #decided = false;

  constructor(request: IncomingMessage, { limit, room }: Collecting, done: (collected: Collected) => void) {
    this.#request = request;
    this.#limit = limit;
    this.#room = room;
    this.#done = done;
    this.#bytes = new BodyBytes(capacityOf(request, limit));
  }

  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#size += chunk.length;
    if (this.#decided) {
      if (this.#size > discarded) this.#request.destroy();
    } else if (this.#size > this.#limit) this.omit("too large");
    else if (!this.#room.take(chunk.length)) this.omit("no room");
    else {
      this.#kept += chunk.length;
      this.#bytes.add(chunk);
    }
  }

  omit(omitted: ApiRequest["bodyOmitted"]): void {
    this.#decided = true;
    this.#free();
    this.#done({ body: null, omitted, free: () => {} });
  }

  end(): void {
    if (this.#decided) return;
    this.#decided = true;
    this.#done({ ...this.#bytes.take(), omitted: undefined, free: () => this.#free() });
  }

  close(): void {
    if (!this.#decided) this.#free();
  }

  #free(): void {
    this.#room.give(this.#kept);
    this.#kept = 0;
    this.#bytes.clear();
  }
}

/** The most bytes that a body can have. The part of the buffer that is not written to takes no memory. */
const capacityOf = ({ headers }: IncomingMessage, limit: number): number =>
  Number(headers["content-length"] ?? limit);

/** A larger body is collected in one buffer: chunks that are joined at the end take twice as much memory. In bytes. */
const mostInChunks = 1024 * 1024;

/** The bytes of a body as they come in: chunks of a small one, one buffer for a larger one. */
class BodyBytes {
  /** How many bytes a buffer must have room for. */
  readonly #capacity: number;
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #whole: Uint8Array<ArrayBuffer> | null = null;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(chunk: Uint8Array<ArrayBuffer>): void {
    const start = this.#size;
    this.#size += chunk.length;
    if (this.#whole === null && this.#size > mostInChunks) {
      this.#whole = joined(this.#chunks, this.#capacity);
      this.#chunks = [];
    }
    if (this.#whole === null) this.#chunks.push(chunk);
    else this.#whole.set(chunk, start);
  }

  /** Hands all bytes over. */
  take(): Pick<ApiRequest, "body" | "release"> {
    const [whole, chunks] = [this.#whole, this.#chunks];
    this.clear();
    if (whole !== null) return { body: whole.subarray(0, this.#size), release: releaseOf(whole) };
    return { body: this.#size === 0 ? null : joined(chunks, this.#size) };
  }

  clear(): void {
    this.#chunks = [];
    this.#whole = null;
  }
}

/** Frees memory without waiting for the garbage collector. */
const releaseOf =
  ({ buffer }: Uint8Array<ArrayBuffer>) =>
  (): void =>
    void (buffer.detached || buffer.transfer(0));

/** The chunks at the start of as many bytes. */
function joined(chunks: readonly Uint8Array<ArrayBuffer>[], capacity: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first !== undefined && first.length === capacity) return first;
  const whole = Buffer.allocUnsafeSlow(capacity);
  let size = 0;
  for (const chunk of chunks) {
    whole.set(chunk, size);
    size += chunk.length;
  }
  return whole;
}
