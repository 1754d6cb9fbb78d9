import type { IncomingHttpHeaders } from "node:http";

/** Those that are only for one connection (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers that a proxy passes on. */
export function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const listed = headers.connection?.toLowerCase().split(/ *, */) ?? [];
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hopByHop.has(name) && !listed.includes(name)) kept[name] = value;
  }
  return kept;
}
