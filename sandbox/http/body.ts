import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "../api/context.ts";
import { BodyBytes } from "./body-bytes.ts";

/** The largest bodies that are read, in bytes. */
export const bodyLimits = {
  /** Read without looking at the request: checking its path and key twice would cost more. */
  unchecked: 16 * 1024,
  /** The control API and forms, which have a few short fields. */
  control: 1024 * 1024,
  /** The largest attachments of a message fit: 28 MiB are 37.4 MiB in base64, and 39.3 MiB with line breaks. */
  api: 40 * 1024 * 1024,
  /** All bodies together, from when they come in until their responses are sent. */
  total: 256 * 1024 * 1024,
} as const;

/** How much of an omitted body is discarded before the connection closes: until then the client can read the response. */
const discarded = 4 * bodyLimits.api;

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

export interface Collecting {
  /** The largest body that is kept, in bytes. */
  limit: number;
  room: BodyRoom;
  /** Tells a client that sent `Expect: 100-continue` to send its body. */
  proceed(): void;
}

/** The bytes of a body, null for none, or why they were omitted. */
export interface Collected extends Pick<ApiRequest, "body" | "release"> {
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
  { limit, room, proceed }: Collecting,
  done: (collected: Collected) => void,
): void {
  if (!hasBody(request)) {
    proceed();
    done({ body: null, omitted: undefined, free: () => {} });
    return;
  }
  const bytes = new BodyBytes(capacityOf(request, limit));
  let size = 0;
  let kept = 0;
  let decided = false;
  const free = (): void => {
    room.give(kept);
    kept = 0;
    bytes.clear();
  };
  const omit = (omitted: ApiRequest["bodyOmitted"]): void => {
    decided = true;
    free();
    done({ body: null, omitted, free });
  };
  const early = omittedByLength(request, limit, room);
  if (early === undefined) proceed();
  else omit(early);
  request.on("data", (chunk: Uint8Array<ArrayBuffer>) => {
    size += chunk.length;
    if (decided) {
      if (size > discarded) request.destroy();
    } else if (size > limit) omit("too large");
    else if (!room.take(chunk.length)) omit("no room");
    else {
      kept += chunk.length;
      bytes.add(chunk);
    }
  });
  request.on("end", () => {
    if (decided) return;
    decided = true;
    done({ ...bytes.take(), omitted: undefined, free });
  });
  // The connection broke off: nobody gets a response.
  request.on("error", () => {});
  request.on("close", () => {
    if (!decided) free();
  });
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

/** The most bytes that a body can have. The part of the buffer that is not written to takes no memory. */
const capacityOf = ({ headers }: IncomingMessage, limit: number): number =>
  Number(headers["content-length"] ?? limit);
