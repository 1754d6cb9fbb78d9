import { isIP } from "node:net";
import type { ApiRequest } from "../api/context.ts";
import { ControlError } from "./response.ts";

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
// Names that nobody outside can own: single labels, and top-level names reserved for private networks.
const privateName = /^([a-z0-9-]+|.+\.(internal|local|localhost|home\.arpa))$/;

/**
 * Protects the control API and the pages against other web sites. A page that reaches this machine by DNS rebinding sends its own
 * name as `Host`; a form or script of another site sends its own `Origin`, or `null` from a sandboxed frame.
 *
 * @param exposed whether the sandbox listens beyond loopback, and so has IP addresses and names of a network too
 * @returns why the request is rejected with 403; undefined for one that may pass
 */
export function crossSiteError(
  { method, headers }: Pick<ApiRequest, "method" | "headers">,
  exposed: boolean,
): ControlError | undefined {
  const host = headers.host?.toLowerCase();
  const name = host?.replace(/:\d+$/, "") ?? "";
  if (!isOwnName(name, exposed))
    return new ControlError(
      403,
      `The Host header names an unknown host (got ${JSON.stringify(name.slice(0, 100))}).`,
      "Use localhost or an IP address: any other name could belong to another web site.",
    );
  if (method === "GET" || method === "HEAD") return undefined;
  const { origin, "sec-fetch-site": site } = headers;
  const sameSite =
    origin === undefined
      ? site === undefined || site === "same-origin" || site === "none"
      : host !== undefined && URL.parse(origin)?.host === host;
  if (sameSite) return undefined;
  return new ControlError(
    403,
    "The request comes from a page of another web site.",
    "Use the sandbox's own pages, or a client that is not a browser, such as curl.",
  );
}

const isOwnName = (name: string, exposed: boolean): boolean =>
  loopback.test(name) || (exposed && (privateName.test(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0));
