import type { IncomingMessage } from "node:http";

/** The largest body that is read, in bytes. A message of the largest size is well below it, base64 and JSON's escapes included. */
export const largestBody = 64 * 1024 * 1024;

/** How much more is thrown away before the connection is ended: until then a client gets to read its answer. */
const patience = 4 * largestBody;

/**
 * Reads the body of a request, and hands it over once it is there: null where there is none. Of one that is larger than anything that
 * is read nothing is kept. A request that breaks off is never handed over.
 */
export function collect(
  request: IncomingMessage,
  done: (body: Uint8Array | null, tooLarge: boolean) => void,
): void {
  const length = request.headers["content-length"];
  if ((length === undefined || length === "0") && request.headers["transfer-encoding"] === undefined) {
    done(null, false);
    return;
  }
  let chunks: Uint8Array[] = [];
  let size = 0;
  request.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    else chunks = [];
    if (size > patience) request.destroy();
  });
  request.on("end", () => {
    if (size > largestBody) done(null, true);
    else done(size === 0 ? null : joined(chunks), false);
  });
  // The connection broke off: there is nobody to answer.
  request.on("error", () => {});
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
