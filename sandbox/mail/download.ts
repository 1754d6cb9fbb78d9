import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import net, { type BlockList, type Socket } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import type { Download } from "../api/context.ts";
import {
  blockedAddresses,
  isPublicAddress,
  LinkError,
  parseLink,
  privateNetwork,
  unmapAddress,
} from "./link.ts";

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

/** Network access, replaceable in tests. */
export interface Network {
  /** All IP addresses of a host. */
  lookup(host: string): Promise<string[]>;
  /** Connects to an IP address. */
  connect(options: { host: string; port: number; blockList: BlockList }): Socket;
  isPublic(address: string): boolean;
  /** Trusted certificates besides the default ones, in PEM. */
  certificates?: string[];
}

export const internet: Network = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  connect: (options) => net.connect(options),
  isPublic: isPublicAddress,
};

const blockList = blockedAddresses();

/**
 * Opens a TLS connection to port 443 of a public host. The host is resolved once, and rejected if any of its addresses is not public. The
 * connection uses a checked address, so that a different second response of DNS has no effect.
 *
 * @throws LinkError
 */
export async function openPublicSocket(
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const addresses = await publicAddresses(host, network);
  signal.throwIfAborted();
  const socket = await connectToAny(addresses, network, signal);
  if (!network.isPublic(unmapAddress(socket.remoteAddress ?? ""))) {
    socket.destroy();
    throw new LinkError(privateNetwork);
  }
  return encrypt(socket, host, network, signal);
}

async function publicAddresses(host: string, network: Network): Promise<string[]> {
  const addresses = net.isIP(host) === 0 ? await resolve(host, network) : [host];
  if (addresses.length === 0) throw new LinkError("The host of the link does not exist.");
  if (!addresses.every((address) => network.isPublic(address))) throw new LinkError(privateNetwork);
  return addresses.map(unmapAddress);
}

async function resolve(host: string, network: Network): Promise<string[]> {
  try {
    return await network.lookup(host);
  } catch (cause) {
    const problem = errorCode(cause) === "ENOTFOUND" ? "does not exist" : "could not be resolved";
    throw new LinkError(`The host of the link ${problem}.`, { cause });
  }
}

/** Connects to the first address that accepts a connection. */
async function connectToAny(addresses: string[], network: Network, signal: AbortSignal): Promise<Socket> {
  let reason: unknown;
  for (const host of addresses) {
    signal.throwIfAborted();
    const socket = network.connect({ host, port: 443, blockList });
    try {
      await once(socket, "connect", { signal });
      return socket;
    } catch (cause) {
      socket.destroy();
      if (errorCode(cause) === "ERR_IP_BLOCKED") throw new LinkError(privateNetwork, { cause });
      reason = cause;
    }
  }
  signal.throwIfAborted();
  throw new LinkError("The host of the link cannot be reached.", { cause: reason });
}

async function encrypt(
  socket: Socket,
  host: string,
  { certificates }: Network,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = tls.connect({
    ...{ socket, host, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true },
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(certificates !== undefined && { ca: [...tls.rootCertificates, ...certificates] }),
  });
  try {
    await once(secure, "secureConnect", { signal });
    return secure;
  } catch (cause) {
    socket.destroy();
    secure.destroy();
    signal.throwIfAborted();
    const code = errorCode(cause) && ` (${errorCode(cause)})`;
    throw new LinkError(`The host of the link has no valid certificate${code}.`, { cause });
  }
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
