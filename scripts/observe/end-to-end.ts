import type { IncomingMessage } from "node:http";

/** Those that are only for one connection (RFC 9110, 7.6.1), and the host, which is another one. */
const notPassedOn = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers that a proxy passes on, as they were written: names in their case, repeated ones as lists. */
export function endToEnd({ headers, rawHeaders }: IncomingMessage): Record<string, string[]> {
  const listed = headers.connection?.toLowerCase().split(/ *, */) ?? [];
  const kept = new Map<string, [string, string[]]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    const earlier = kept.get(key);
    if (earlier !== undefined) earlier[1].push(value);
    else if (!notPassedOn.has(key) && !listed.includes(key)) kept.set(key, [name, [value]]);
  }
  return Object.fromEntries(kept.values());
}
