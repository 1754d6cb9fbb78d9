import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { callbackify } from "node:util";
import type { Download } from "../api/context.ts";
import { isPublicAddress, LinkError, parseLink, privateNetwork } from "./link.ts";

export interface DownloadLimits {
  /** The size of the largest file. */
  maxBytes: number;
  /** The time for the whole download, from resolving the host to the last byte, in real time. */
  timeoutMilliseconds: number;
}

/** Network access, replaceable in tests. */
export interface Network {
  /** All IP addresses of a host. */
  lookup(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  /** Instead of 443. */
  port?: number;
  /** Trusted certificates besides the default ones, in PEM. */
  certificates?: string[];
}

export const internet: Network = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
};

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
  try {
    return { bytes: await readFile(await get(link, network, signal), limits.maxBytes) };
  } catch (error) {
    if (error instanceof LinkError) return { problem: error.message, tooLarge: error.tooLarge };
    const problem = signal.aborted ? "The download timed out." : "The file could not be downloaded.";
    return { problem, tooLarge: false };
  }
}

async function get(link: string, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, host } = parseLink(link);
  const { port = 443, certificates } = network;
  const passed = { connect: false, secureConnect: false };
  const request = https.get(url, {
    ...{ agent: false, signal, port, lookup: publicLookup(network) },
    ...{ ALPNProtocols: ["http/1.1"], rejectUnauthorized: true },
    ...(isIP(host) === 0 && { servername: host }),
    ...(certificates !== undefined && { ca: [...rootCertificates, ...certificates] }),
    headers: { host: url.host, accept: "*/*", "accept-encoding": "identity" },
  });
  request.on("socket", (socket) => {
    for (const step of ["connect", "secureConnect"] as const)
      socket.once(step, () => {
        passed[step] = true;
      });
  });
  // An error right after the response would have no listener and end the process.
  request.on("error", () => {});
  try {
    return ((await once(request, "response")) as [IncomingMessage])[0];
  } catch (cause) {
    if (cause instanceof LinkError || signal.aborted || passed.secureConnect) throw cause;
    const code = errorCode(cause) && ` (${errorCode(cause)})`;
    const problem = passed.connect ? `has no valid certificate${code}` : "cannot be reached";
    throw new LinkError(`The host of the link ${problem}.`, { cause });
  }
}

/**
 * Resolves the host of a connection, once. The host is rejected if any of its addresses is not public, and the connection is made to a checked
 * address: a different second response of DNS has no effect.
 */
const publicLookup = (network: Network): LookupFunction =>
  callbackify((host: string, _options: object) => publicAddresses(host, network));

/** @throws LinkError */
async function publicAddresses(host: string, { lookup, isPublic }: Network) {
  const addresses = await lookup(host).catch((cause) => {
    const problem = errorCode(cause) === "ENOTFOUND" ? "does not exist" : "could not be resolved";
    throw new LinkError(`The host of the link ${problem}.`, { cause });
  });
  if (addresses.length === 0) throw new LinkError("The host of the link does not exist.");
  if (!addresses.every(isPublic)) throw new LinkError(privateNetwork);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

async function readFile(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  try {
    checkResponse(response, maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
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
