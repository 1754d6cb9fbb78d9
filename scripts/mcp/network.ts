import { BlockList, isIP, Socket } from "node:net";
import { usageError } from "../../lib/user-error.ts";
import { checkName, isLoopback } from "../../sandbox/http/hosts.ts";

/** Every address that is not of this machine. */
const elsewhere = new BlockList();
elsewhere.addRange("0.0.0.0", "126.255.255.255");
elsewhere.addRange("128.0.0.0", "255.255.255.255");
elsewhere.addAddress("::", "ipv6");
elsewhere.addRange("::2", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ipv6");

/**
 * Limits all connections of this process from now on to this machine, those of redirects and hooks too. Other names are not even looked up,
 * and `localhost` must lead to this machine.
 * @param allowed host names and IP addresses that are allowed, too
 * @throws UserError if one of them is no host, or Node sends requests through a proxy of the environment
 */
export function limitNetwork(allowed: readonly string[]): void {
  const { execArgv, env } = process;
  if (env.NODE_USE_ENV_PROXY === "1" || `${execArgv} ${env.NODE_OPTIONS}`.includes("--use-env-proxy"))
    throw usageError(
      "requests would go through a proxy, which sends them to any host",
      "Start it without --use-env-proxy, and with NODE_USE_ENV_PROXY=0.",
    );
  for (const host of allowed.map(plain)) {
    if (isIP(host) === 0) checkName(host);
    hosts.add(host);
  }
  const { connect } = Socket.prototype;
  // The one place that every client in Node passes, with or without TLS.
  Socket.prototype.connect = function limited(this: Socket, ...given: unknown[]) {
    const [first, second] = Array.isArray(given[0]) ? given[0] : given;
    const host = plain(String(Object(first).host ?? (typeof second === "string" ? second : "localhost")));
    if (hosts.has(host)) return Reflect.apply(connect, this, given);
    if (isLoopback(host)) return Reflect.apply(connect, Object.assign(this, { blockList: elsewhere }), given);
    queueMicrotask(() => this.destroy(new Error(notAllowed(host))));
    return this;
  } as typeof connect;
}

/** The hosts that the user allows. */
const hosts = new Set<string>();

const notAllowed = (host: string): string =>
  `The host ${host} is not allowed. Use 127.0.0.1; only the user can allow it, with --allow-host ${host} for this MCP server`;

/** @throws UserError if no connection may lead to the host of a URL */
export function assertAllowed(url: string): void {
  const host = plain(URL.parse(url)?.hostname ?? url);
  if (!hosts.has(host) && !isLoopback(host)) throw usageError(notAllowed(host));
}

const plain = (host: string): string => host.toLowerCase().replaceAll(/^\[|\]$/g, "");
