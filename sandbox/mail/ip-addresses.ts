import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only allocated IPv6 unicast addresses (RFC 4291, section 2.4): everything else is for special use. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by number, but reachable only from virtual machines of a cloud, where it is their host. */
const cloudHosts = new Set(["168.63.129.16"]);

/**
 * Whether an IP address, as DNS or the system returns it, is on the public internet. IPv4 mapped to IPv6 counts as IPv4. Tunnels and
 * translations (6to4, Teredo, NAT64) do not count as public: they can lead into any network.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js alone would also accept spellings such as `0x7f.1`.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // For ipaddr.js, the deprecated form `::7f00:1` of 127.0.0.1 is unicast.
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast);
  return !cloudHosts.has(parsed.toString());
}

/** An IP address without its IPv6 mapping: `::ffff:192.0.2.1` becomes `192.0.2.1`. Any other text is unchanged. */
export const unmapAddress = (address: string): string =>
  isIP(address) === 0 ? address : ipaddr.process(address).toString();

/** The networks that are not public, listed again: a second defence that does not depend on ipaddr.js. */
const blockedNetworks = `
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
224.0.0.0/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`;

/** The blocked networks as the `blockList` of `net.connect`, which checks unmapped addresses. */
export function blockedAddresses(): BlockList {
  const list = new BlockList();
  for (const network of blockedNetworks.trim().split(/\s/)) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), address.includes(":") ? "ipv6" : "ipv4");
  }
  // `::/3` without `::ffff:0:0/96`, which would block every IPv4 address too.
  list.addRange("::", "::fffe:ffff:ffff", "ipv6");
  list.addRange("0:0:0:1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ipv6");
  list.addRange("::1:0:0:0", "::ffff:ffff:ffff:ffff", "ipv6");
  return list;
}
