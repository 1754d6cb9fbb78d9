import { isIP } from "node:net";
import type { ApiRequest } from "../api/context.ts";
import type { GatewayServices } from "./operation.ts";
import { ControlError, errorJson, type SiteResponse } from "./response.ts";

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
// Names that nobody outside can own: single labels, and top-level names reserved for private networks.
const privateName = /^([a-z0-9-]+|.+\.(internal|local|localhost|home\.arpa))$/;

/** The response to a request that must not reach the control API and the pages; undefined for one that may. */
export function requestError(
  { exposed, control }: Pick<GatewayServices, "exposed" | "control">,
  request: ApiRequest,
): SiteResponse | undefined {
  const error = accessError(exposed, control) ?? crossSiteError(request, exposed) ?? bodyError(request);
  return error && errorJson(error);
}

const accessError = (exposed: boolean, control: boolean): ControlError | undefined =>
  exposed && !control
    ? new ControlError(
        403,
        "The control API and the pages are disabled, because this sandbox listens on the network.",
        "Start it with --control to enable them for everyone who can reach it.",
      )
    : undefined;

/** Why a body was not read: the request must not be handled as one without a body. */
function bodyError({ bodyOmitted }: ApiRequest): ControlError | undefined {
  if (bodyOmitted === undefined) return undefined;
  return bodyOmitted === "no room"
    ? new ControlError(503, "The sandbox is receiving too many bodies at once.", "Retry in a moment.")
    : new ControlError(413, "The body is too large.", "The control API and forms accept at most 1 MiB.");
}

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
