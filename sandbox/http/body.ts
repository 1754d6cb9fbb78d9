import type { IncomingMessage } from "node:http";
import type { ApiRequest } from "../api/context.ts";
import type { BodyRoom } from "./body-room.ts";

/** The largest body that is read, in bytes. A message of the largest size is well below it, base64 and JSON's escapes included. */
export const largestBody = 64 * 1024 * 1024;

/** How much more is thrown away before the connection is ended: until then a client gets to read its answer. */
const patience = 4 * largestBody;

/** What a request is collected with. */
export interface Collecting {
  /** How many bytes of body are read at most; of one that is larger nothing is kept. */
  most: number;
  /** Where bodies are kept. */
  room: BodyRoom;
  /** Tells a client that asks first (`Expect: 100-continue`) to send its body. */
  proceed(): void;
}

/** What came of a body: its bytes, null where there are none, or why it was left out. */
export interface Collected {
  body: Uint8Array | null;
  leftOut: ApiRequest["bodyOmitted"];
  /** To be called once nobody needs the bytes any more. */
  free(): void;
}

/**
 * Reads the body of a request, and hands it over once it is there. One that is left out is told of at once, and what still comes of it is
 * thrown away: a client that writes all of it before it reads gets its answer too. A request that breaks off is never handed over.
 */
export function collect(
  request: IncomingMessage,
  { most, room, proceed }: Collecting,
  done: (collected: Collected) => void,
): void {
  if (!hasBody(request)) {
    proceed();
    done({ body: null, leftOut: undefined, free: () => {} });
    return;
  }
  let chunks: Uint8Array[] = [];
  let size = 0;
  let kept = 0;
  let decided = false;
  const free = (): void => {
    room.give(kept);
    kept = 0;
    chunks = [];
  };
  const leaveOut = (leftOut: ApiRequest["bodyOmitted"]): void => {
    decided = true;
    free();
    done({ body: null, leftOut, free });
  };
  const early = faultOf(request, most, room);
  if (early === undefined) proceed();
  else leaveOut(early);
  request.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (decided) {
      if (size > patience) request.destroy();
    } else if (size > most) leaveOut("too large");
    else if (!room.take(chunk.length)) leaveOut("no room");
    else {
      kept += chunk.length;
      chunks.push(chunk);
    }
  });
  request.on("end", () => {
    if (decided) return;
    decided = true;
    done({ body: size === 0 ? null : joined(chunks), leftOut: undefined, free });
  });
  // The connection broke off: there is nobody to answer.
  request.on("error", () => {});
  request.on("close", () => {
    if (!decided) free();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** Why a body is left out that need not even begin to come in. */
function faultOf({ headers }: IncomingMessage, most: number, room: BodyRoom): ApiRequest["bodyOmitted"] {
  const declared = Number(headers["content-length"] ?? 0);
  if (most === 0 || declared > most) return "too large";
  return declared > room.left ? "no room" : undefined;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
