import { isPublicAddress } from "./addresses.ts";

/** Names that no public host has: reserved by RFC 6761, 6762, 7686, 8375, 9476 and by ICANN, or in common use inside networks. */
const localEndings = new Set([
  ...["local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home", "lan"],
  ...["test", "invalid", "onion", "alt", "arpa"],
]);

/** What a name in DNS may look like. Underscores stand in no host name, but in some that are served all the same. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A link that may be followed, or why not, in a sentence for people. */
export type CheckedLink = { url: URL; host: string; fault: null } | { fault: string };

/**
 * Checks a link without touching the network: https on port 443, nobody's name and password in it, and a host that is not known to be
 * private, however it is spelled. Hosts are compared as browsers read them (WHATWG URL), so `0x7f.1`, `2130706433` and `①②⑦.1` are
 * all 127.0.0.1. What a name leads to is only known once it is looked up: `download` checks that.
 */
export function checkLink(link: string): CheckedLink {
  // Spaces, controls and backslashes are what URL parsers disagree about.
  if (hasOddCharacters(link) || !URL.canParse(link)) return { fault: "The link is not a valid URL." };
  const url = new URL(link);
  if (url.protocol !== "https:") return { fault: "The link must start with https://." };
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/*[^/?#]*@/.test(link)) {
    return { fault: "The link must not carry a user name or password." };
  }
  if (url.port !== "") return { fault: "The link must use port 443, the usual one of https." };
  // A name may end with the dot of DNS's root.
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const fault = hostFault(host);
  return fault === null ? { url, host, fault: null } : { fault };
}

/** What is wrong with a link, in a sentence for people, or null when it may be followed. */
export function linkFault(link: string): string | null {
  return checkLink(link).fault;
}

function hasOddCharacters(link: string): boolean {
  return /[\s\\\p{Cc}\p{Cf}]/u.test(link);
}

function hostFault(host: string): string | null {
  if (isAddress(host)) {
    return isPublicAddress(host) ? null : "The link leads into a private network.";
  }
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((part) => label.test(part))) return "The link names no valid host.";
  const ending = labels.at(-1) ?? "";
  if (labels.length === 1 || localEndings.has(ending)) return "The link leads into a private network.";
  return null;
}

/** After WHATWG's reading, only IPv6 has colons, and only IPv4 ends with a number. */
function isAddress(host: string): boolean {
  return host.includes(":") || /(^|\.)[0-9]+$/.test(host);
}
