// The part of `node:net` that the sandbox uses.
import ipaddr from "ipaddr.js";

/** 4 or 6 for an IP address in its usual notation, 0 for any other text. */
export function isIP(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return text.includes(":") && ipaddr.IPv6.isValid(text) ? 6 : 0;
}

/** Only downloads use it, and a page has none. */
export class BlockList {}
