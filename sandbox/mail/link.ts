import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Download } from "../api/context.ts";
import type { Attachment } from "../domain/records.ts";

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
 * @throws LinkError
 */
export function parseLink(link: string): { url: URL; host: string } {
  // URL parsers disagree about spaces, control characters and backslashes.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(link) || !URL.canParse(link))
    throw new LinkError("The link is not a valid URL.");
  const url = new URL(link);
  if (url.protocol !== "https:") throw new LinkError("The link must start with https://.");
  if (url.username !== "" || url.password !== "" || /^[^/?#@]*(?:\/+[^/?#@]*)?@/.test(link))
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

/**
 * Downloads the attachments that are given by link, one after the other, so that their total size stays within the limit.
 * @param totalBytes the limit of all downloaded files together
 * @returns the attachments with their content, or what is wrong with their links by field name
 */
export async function fetchLinks(attachments: readonly Attachment[], download: Download, totalBytes: number) {
  const fetched: Attachment[] = [];
  const problems: Record<string, string> = {};
  let remaining = totalBytes;
  for (const [index, attachment] of attachments.entries()) {
    if (!("path" in attachment)) {
      fetched.push(attachment);
      continue;
    }
    const { path, ...properties } = attachment;
    const result = await download(path, remaining);
    if ("problem" in result) {
      problems[`attachments.${index}.path`] = result.problem;
      if (result.tooLarge) return { problems, tooLarge: true };
      continue;
    }
    remaining -= result.bytes.length;
    fetched.push({ ...properties, content: Buffer.from(result.bytes).toString("base64") });
  }
  return Object.keys(problems).length === 0 ? { attachments: fetched } : { problems, tooLarge: false };
}
