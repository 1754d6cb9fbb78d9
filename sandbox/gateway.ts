import type { ApiRequest } from "./api/context.ts";
import { pathOf } from "./api/router.ts";
import { control, health } from "./control/control.ts";
import { crossSiteError } from "./control/guard.ts";
import type { GatewayServices } from "./control/operation.ts";
import { ControlError, errorJson, type SiteResponse } from "./control/response.ts";
import { isPage, page } from "./pages/pages.ts";

/**
 * Creates the handler of everything outside the API: `/health`, the control API under `/sandbox/`, and the pages. All but `/health`
 * show or change what the sandbox holds: without `--control` only this machine can use them.
 *
 * @returns a handler that returns undefined for an unknown path
 */
export function createGateway(
  services: GatewayServices,
): (request: ApiRequest) => Promise<SiteResponse | undefined> {
  return async (request) => {
    const path = pathOf(request.target);
    if (path === "/health" && (request.method === "GET" || request.method === "HEAD"))
      return health(services);
    const isControl = path === "/sandbox" || path.startsWith("/sandbox/");
    if (!isControl && !isPage(path)) return undefined;
    const error = accessError(services, request) ?? bodyError(request);
    if (error !== undefined) return errorJson(error);
    return isControl ? control(services, request, path) : page(services, request, path);
  };
}

/** Why a body was not read: the request must not be handled as one without a body. */
function bodyError({ bodyOmitted }: ApiRequest): ControlError | undefined {
  if (bodyOmitted === undefined) return undefined;
  return bodyOmitted === "no room"
    ? new ControlError(503, "The sandbox is receiving too many bodies at once.", "Retry in a moment.")
    : new ControlError(413, "The body is too large.", "The control API and forms accept at most 1 MiB.");
}

function accessError({ exposed, control }: GatewayServices, request: ApiRequest): ControlError | undefined {
  if (exposed && !control)
    return new ControlError(
      403,
      "The control API and the pages are disabled, because this sandbox listens on the network.",
      "Start it with --control to enable them for everyone who can reach it.",
    );
  return crossSiteError(request, exposed);
}
