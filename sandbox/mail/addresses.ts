import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only IPv6 addresses that are handed out to anyone (RFC 4291, section 2.4): everything outside is for special use. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by its number, yet only a cloud's own machines reach it, and reach their host by it. */
const cloudHosts = new Set(["168.63.129.16"]);

/**
 * Whether an address, as DNS or the system gives it, can be reached from anywhere on the internet. IPv4 wrapped in IPv6 counts as
 * what it wraps; what tunnels or translates (6to4, Teredo, NAT64) does not count as public, for it may lead into any network.
 */
export function isPublicAddress(address: string): boolean {
  // `isIP` reads the plain spellings only; ipaddr.js alone would also take `0x7f.1`.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // ipaddr.js calls `::7f00:1` unicast: the old way of writing 127.0.0.1 in IPv6.
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast);
  return !cloudHosts.has(parsed.toString());
}

/** An address without its IPv6 wrapping: `::ffff:192.0.2.1` is `192.0.2.1`. What is no address stays as it is. */
export function unwrapAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toString();
}

/** What no link may lead to, once more in full: a second lock that does not turn on the first one's library. */
const refusedNetworks = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"],
  ...[
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
  ],
  ...[
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
  ],
  ...["4000::/2", "8000::/1"],
  ...["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"],
];

/** The networks that are not public, for sockets to refuse by themselves (`net.connect`'s `blockList`). Addresses come unwrapped. */
export function refusedAddresses(): BlockList {
  const list = new BlockList();
  for (const network of refusedNetworks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  }
  // All of `::/3` but `::ffff:0:0/96`: `BlockList` holds each IPv4 address against that network, too, and would refuse them all.
  list.addRange("::", "::fffe:ffff:ffff", "ipv6");
  list.addRange("0:0:0:1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ipv6");
  list.addRange("::1:0:0:0", "::ffff:ffff:ffff:ffff", "ipv6");
  return list;
}
