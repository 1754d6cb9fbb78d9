import type { ApiRequest } from "../api/context.ts";
import type { GatewayServices } from "./operation.ts";
import { ControlError, errorJson, retrySoon, type SiteResponse } from "./response.ts";

/** The response to a request that must not reach the control API and the pages; undefined for one that may. */
export function requestError(
  { exposed, control }: Pick<GatewayServices, "exposed" | "control">,
  request: ApiRequest,
): SiteResponse | undefined {
  const error = accessError(exposed, control) ?? crossSiteError(request) ?? bodyError(request);
  return error && errorJson(error, error.status === 503 ? retrySoon : {});
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
 * Protects the control API and the pages against other web sites, whose forms and scripts send their own `Origin`, or `null` from a sandboxed
 * frame. The `Host` has been checked before.
 *
 * @returns why the request is rejected with 403; undefined for one that may pass
 */
export function crossSiteError({
  method,
  headers,
}: Pick<ApiRequest, "method" | "headers">): ControlError | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  const host = headers.host?.toLowerCase();
  const { origin, "sec-fetch-site": site } = headers;
  const sameSite =
    origin === undefined
      ? site === undefined || site === "same-origin" || site === "none"
      : host !== undefined && URL.parse(origin)?.host === host;
  if (sameSite) return undefined;
  const from = origin === undefined ? `Sec-Fetch-Site: ${site}` : `Origin: ${origin}`;
  return new ControlError(
    403,
    `The request comes from a page of another web site (got ${from.slice(0, 100)}).`,
    "Use the sandbox's own pages, or a client that is not a browser, such as curl.",
  );
}
