import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import net, { type BlockList, type Socket } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { blockedAddresses, isPublicAddress, unmapAddress } from "./ip-addresses.ts";
import { LinkError, privateNetwork } from "./link.ts";

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
