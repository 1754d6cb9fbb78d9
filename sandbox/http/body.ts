import type { IncomingMessage } from "node:http";
import { type ApiRequest, bodyLimits } from "../api/context.ts";

/** How much of an omitted body is discarded before the connection closes: until then the client can read the response. */
const discarded = 4 * bodyLimits.api;
/** Chunks of more bytes than this are written to one buffer, which then is as large as the declared size. */
const joinedAtEnd = 2 ** 20;

interface Collecting {
  /** The largest body that is kept, in bytes. */
  limit: number;
  /** How many bytes all bodies in memory have left. */
  room: { left: number };
  /** Tells a client that sent `Expect: 100-continue` to send its body. */
  proceed(): void;
}

/**
 * Reads the body of a request and then calls `done`. For an omitted body it does so at once and discards the rest, so that a client which
 * writes everything before it reads gets the response. It does not call `done` for a request that breaks off.
 * @param done gets the bytes of the body and what to call once they are not needed any more; null without a body, or why it was omitted
 */
export function collect(
  request: IncomingMessage,
  { limit, room, proceed }: Collecting,
  done: (body: Uint8Array | null, free: () => void, omitted?: ApiRequest["bodyOmitted"]) => void,
): void {
  if (!hasBody(request)) {
    proceed();
    done(null, () => {});
    return;
  }
  const declared = Number(request.headers["content-length"] ?? 0);
  const isTooLarge = limit === 0 || declared > limit;
  const early = isTooLarge ? "too large" : declared > room.left ? "no room" : undefined;
  let whole: Buffer | null = null;
  let chunks: Uint8Array[] = [];
  let size = 0;
  let kept = 0;
  let isDecided = false;
  const free = (): void => {
    room.left += kept;
    kept = 0;
    chunks = [];
    whole = null;
  };
  const decide = (body: Uint8Array | null, omitted?: ApiRequest["bodyOmitted"]): void => {
    isDecided = true;
    if (omitted !== undefined) free();
    done(body, free, omitted);
  };
  if (early === undefined) proceed();
  else decide(null, early);
  request.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (isDecided) {
      if (size > discarded) request.destroy();
    } else if (size > limit) decide(null, "too large");
    else if (chunk.length > room.left) decide(null, "no room");
    else {
      if (whole === null && kept > joinedAtEnd && declared > 0) {
        // Chunks that are joined at the end take twice as much memory.
        whole = Buffer.allocUnsafeSlow(declared);
        Buffer.concat(chunks).copy(whole);
        chunks = [];
      }
      if (whole === null) chunks.push(chunk);
      else whole.set(chunk, kept);
      room.left -= chunk.length;
      kept += chunk.length;
    }
  });
  request.on("end", () => {
    if (isDecided) return;
    const body = whole ?? Buffer.concat(chunks);
    chunks = [];
    decide(size === 0 ? null : body);
  });
  // The connection broke off: nobody gets a response.
  request.on("error", () => {});
  request.on("close", () => {
    if (!isDecided) free();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
