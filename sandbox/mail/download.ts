import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Download } from "../api/context.ts";
import { LinkError, parseLink } from "./link.ts";
import { internet, type Network, openPublicSocket } from "./public-socket.ts";

export interface DownloadLimits {
  /** The size of the largest file. */
  maxBytes: number;
  /** The time for the whole download, from resolving the host to the last byte, in real time. */
  timeoutMilliseconds: number;
}

/**
 * Downloads a file from the public internet. Does not follow redirects, each of which would be another link to check, and does not
 * decompress. Never rejects.
 */
export async function download(
  link: string,
  limits: DownloadLimits,
  network: Network = internet,
): ReturnType<Download> {
  const signal = AbortSignal.timeout(limits.timeoutMilliseconds);
  // Resolving a host cannot be aborted.
  const timeout = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => timeout.reject(signal.reason), { once: true });
  try {
    return {
      bytes: await Promise.race([fetchFile(link, limits.maxBytes, network, signal), timeout.promise]),
    };
  } catch (error) {
    if (error instanceof LinkError) return { problem: error.message, tooLarge: error.tooLarge };
    const problem = signal.aborted ? "The download timed out." : "The file could not be downloaded.";
    return { problem, tooLarge: false };
  }
}

async function fetchFile(
  link: string,
  maxBytes: number,
  network: Network,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { url, host } = parseLink(link);
  const socket = await openPublicSocket(host, network, signal);
  try {
    return await readFile(await get(url, socket, signal), maxBytes);
  } finally {
    socket.destroy();
  }
}

async function get(url: URL, socket: TLSSocket, signal: AbortSignal): Promise<IncomingMessage> {
  const request = http.request({
    ...{ createConnection: () => socket, method: "GET", path: `${url.pathname}${url.search}`, signal },
    headers: { host: url.host, accept: "*/*", "accept-encoding": "identity", connection: "close" },
  });
  // An error right after the response would have no listener and end the process.
  request.on("error", () => {});
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function readFile(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  checkResponse(response, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function checkResponse({ statusCode = 0, headers }: IncomingMessage, maxBytes: number): void {
  if (statusCode >= 300 && statusCode < 400)
    throw new LinkError("The link redirects, and redirects are not followed.");
  if (statusCode !== 200) throw new LinkError(`The host of the link responded with ${statusCode}.`);
  // Not requested, and a small compressed file could be huge.
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw new LinkError("The host of the link sent a compressed file.");
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
}

const tooLarge = (): LinkError => new LinkError("The file is too large for a message.", { tooLarge: true });
