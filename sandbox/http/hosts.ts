import { isIP } from "node:net";
import { usageError } from "../../lib/user-error.ts";

/** A host name or an IPv4 address. */
const hostName = /^[a-z0-9._-]+$/i;

/** The value of a `Host` header: a host name or IP address, and maybe a port. */
const hostHeader = /^(?:([a-z0-9._-]+)|\[([0-9a-f:.]+)\])(?::\d{1,5})?$/i;

/** Names that lead to this machine everywhere. */
const loopbackName = /^(?:.+\.)?localhost$/;

/** Names that nobody outside a network can own: single labels, and top-level names reserved for private networks. */
const privateName = /^(?:[a-z0-9_-]+|.+\.(?:internal|local|home\.arpa))$/;

/** Whether the value of a `Host` header names this sandbox. */
export type HostCheck = (header: string | undefined) => boolean;

/**
 * Creates the check that protects against DNS rebinding: another web site whose name leads to this machine sends that name as `Host`. No
 * web site has an IP address as its name, and every browser sends `Host`.
 * @param host what the sandbox listens on
 * @param allowed its other names
 * @throws UserError when one of them is not a host name
 */
export function createHostCheck(host: string, allowed: readonly string[] = []): HostCheck {
  for (const name of allowed) checkName(name);
  const own = new Set([host, ...allowed].map((name) => name.toLowerCase()));
  const isOwn = (header: string): boolean => {
    const [, name, ipv6] = hostHeader.exec(header.toLowerCase()) ?? [];
    if (name === undefined) return ipv6 !== undefined && isIP(ipv6) === 6;
    if (isIP(name) === 4 || loopbackName.test(name) || own.has(name)) return true;
    return !isLoopback(host) && privateName.test(name);
  };
  return (header) => header === undefined || isOwn(header);
}

/** @throws UserError if it is not a host name */
export function checkName(name: string): void {
  if (hostName.test(name)) return;
  throw usageError(
    `"${name}" is not a host name`,
    "Give names without scheme and port, such as sandbox.shop.example, with --allow-host or the option allowHosts.",
  );
}

/** Whether only this machine reaches a server on this host. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
