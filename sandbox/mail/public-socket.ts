import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import net, { type BlockList, type Socket } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { isPublicAddress, refusedAddresses, unwrapAddress } from "./addresses.ts";
import { errorCode, LinkError } from "./link-error.ts";

/** The ways out of the process, so that tests can stand in them. */
export interface Network {
  /** Every address of a host. */
  lookup(host: string): Promise<string[]>;
  /** Opens a connection to an address, which it does not look up again. */
  connect(options: { host: string; port: number; blockList: BlockList }): Socket;
  /** Whether anyone on the internet can reach an address. */
  isPublic(address: string): boolean;
  /** Certificates to trust besides the usual ones, in PEM. */
  certificates?: string[];
}

/** The internet, as this machine reaches it. */
export const internet: Network = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  connect: (options) => net.connect(options),
  isPublic: isPublicAddress,
};

const privateNetwork = "The link leads into a private network.";
const refused = refusedAddresses();

/**
 * Opens an encrypted connection to port 443 of a public host. The host is looked up once, and refused when any of its addresses is not
 * public; the connection goes to an address that was checked, so that a second answer of DNS changes nothing.
 *
 * @throws LinkError when that is not possible
 */
export async function openPublicSocket(
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const addresses = await publicAddresses(host, network);
  signal.throwIfAborted();
  const socket = await connectToAny(addresses, network, signal);
  if (!network.isPublic(unwrapAddress(socket.remoteAddress ?? ""))) {
    socket.destroy();
    throw new LinkError(privateNetwork);
  }
  return encrypt(socket, host, network, signal);
}

/** The addresses of a host, all of them public. */
async function publicAddresses(host: string, network: Network): Promise<string[]> {
  const addresses = net.isIP(host) === 0 ? await resolve(host, network) : [host];
  if (addresses.length === 0) throw new LinkError("The link's host does not exist.");
  if (!addresses.every((address) => network.isPublic(address))) throw new LinkError(privateNetwork);
  return addresses.map(unwrapAddress);
}

async function resolve(host: string, network: Network): Promise<string[]> {
  try {
    return await network.lookup(host);
  } catch (cause) {
    const unknown = errorCode(cause) === "ENOTFOUND";
    throw new LinkError(
      unknown ? "The link's host does not exist." : "The link's host could not be looked up.",
      { cause },
    );
  }
}

/** Tries one address after the other, as hosts with several expect. */
async function connectToAny(addresses: string[], network: Network, signal: AbortSignal): Promise<Socket> {
  let reason: unknown;
  for (const host of addresses) {
    signal.throwIfAborted();
    const socket = network.connect({ host, port: 443, blockList: refused });
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
  throw new LinkError("The link's host cannot be reached.", { cause: reason });
}

async function encrypt(
  socket: Socket,
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = tls.connect({
    ...{ socket, host, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true },
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(network.certificates === undefined ? {} : { ca: [...tls.rootCertificates, ...network.certificates] }),
  });
  try {
    await once(secure, "secureConnect", { signal });
    return secure;
  } catch (cause) {
    socket.destroy();
    secure.destroy();
    signal.throwIfAborted();
    const code = errorCode(cause);
    throw new LinkError(`The link's host did not prove who it is${code === "" ? "" : ` (${code})`}.`, {
      cause,
    });
  }
}
