import { isPublicAddress } from "./ip-addresses.ts";

/** Why a link cannot be downloaded, as a sentence for a field error. */
export class LinkError extends Error {
  override name = "LinkError";
  /** Whether the file exists, but is larger than the message has room for. */
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false, cause }: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.tooLarge = tooLarge;
  }
}

export const privateNetwork = "The link leads into a private network.";

/** Local names: reserved by RFC 6761, 6762, 7686, 8375 and 9476 or by ICANN, or common in private networks. */
const localEndings = new Set([
  ...["local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home", "lan"],
  ...["test", "invalid", "onion", "alt", "arpa"],
]);

/** A DNS label. Underscores are invalid in host names, but some public hosts have them. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Parses a link without network access: https on port 443, without user name and password, to a host that is not known to be private.
 * Hosts are normalized as browsers do (WHATWG URL): `0x7f.1`, `2130706433` and `①②⑦.1` are all 127.0.0.1. `download` checks the
 * addresses that a name resolves to.
 *
 * @throws LinkError
 */
export function parseLink(link: string): { url: URL; host: string } {
  // URL parsers disagree about spaces, control characters and backslashes.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(link) || !URL.canParse(link))
    throw new LinkError("The link is not a valid URL.");
  const url = new URL(link);
  if (url.protocol !== "https:") throw new LinkError("The link must start with https://.");
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/*[^/?#]*@/.test(link))
    throw new LinkError("The link must not contain a user name or password.");
  if (url.port !== "") throw new LinkError("The link must use port 443, the default of https.");
  // A name can end with the dot of the DNS root.
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  checkHost(host);
  return { url, host };
}

/** What is wrong with a link, as a sentence for a field error; null for a valid one. */
export function linkProblem(link: string): string | null {
  try {
    parseLink(link);
    return null;
  } catch (error) {
    if (error instanceof LinkError) return error.message;
    throw error;
  }
}

function checkHost(host: string): void {
  // In a normalized host, only IPv6 has colons, and only IPv4 ends with a number.
  if (host.includes(":") || /(^|\.)[0-9]+$/.test(host)) {
    if (!isPublicAddress(host)) throw new LinkError(privateNetwork);
    return;
  }
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((part) => label.test(part)))
    throw new LinkError("The link has no valid host.");
  if (labels.length === 1 || localEndings.has(labels.at(-1) ?? "")) throw new LinkError(privateNetwork);
}
