import type { ApiRequest } from "./api/context.ts";
import { pathOf } from "./api/router.ts";
import { refused, type SiteAnswer } from "./control/answer.ts";
import { control, health } from "./control/control.ts";
import { bar } from "./control/guard.ts";
import type { GatewayServices } from "./control/parts.ts";
import { isPage, page } from "./pages/site.ts";

export type { SiteAnswer } from "./control/answer.ts";
export type { GatewayServices } from "./control/parts.ts";

/**
 * Makes what answers outside the API: the health address, the control calls under `/sandbox/`, and the pages. All but the health
 * address can change what the sandbox holds or show it, so that they are open to this machine only, unless it was asked otherwise.
 *
 * @returns a function from a request to its answer; undefined for an address that nothing here has
 */
export function createGateway(
  parts: GatewayServices,
): (request: ApiRequest) => Promise<SiteAnswer | undefined> {
  return async (request) => {
    const path = pathOf(request.target);
    if (path === "/health" && (request.method === "GET" || request.method === "HEAD")) return health(parts);
    const isControl = path === "/sandbox" || path.startsWith("/sandbox/");
    if (!isControl && !isPage(path)) return undefined;
    const refusal = closed(parts, request) ?? leftOut(request);
    return refusal ?? (isControl ? control(parts, request, path) : page(parts, request, path));
  };
}

/** The refusal of a request whose body was not kept: it must not be taken for one without a body. */
function leftOut({ bodyOmitted }: ApiRequest): SiteAnswer | undefined {
  if (bodyOmitted === undefined) return undefined;
  return bodyOmitted === "no room"
    ? refused(503, "There is no room for the body beside others right now.", "Send it again in a moment.")
    : refused(413, "The body is too large.", "Control calls and forms take at most a megabyte.");
}

/** The refusal of a request that must not get at control calls and pages. */
function closed(parts: GatewayServices, request: ApiRequest): SiteAnswer | undefined {
  if (parts.exposed && !parts.control)
    return refused(
      403,
      "Control calls and pages are off, because this sandbox listens beyond this machine.",
      "Start it with --control to open them to everybody who can reach it.",
    );
  const barred = bar(request, parts.exposed);
  return barred === undefined ? undefined : refused(403, barred.message, barred.hint);
}
