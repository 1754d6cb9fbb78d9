import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "../api/context.ts";
import { type BodyRoom, bodyLimits } from "./body.ts";
import { BodyBytes } from "./body-bytes.ts";

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
