import type { ApiRequest } from "./api/context.ts";
import { errorResponse } from "./api/error-response.ts";
import { isApi, isControl } from "./api/path-kinds.ts";
import { pathOf } from "./api/path-matcher.ts";
import type { App } from "./app.ts";
import type { GatewayServices } from "./control/operation.ts";
import { isProbe } from "./control/probe-paths.ts";
import type { SiteResponse } from "./control/response.ts";
import { ClosedError } from "./domain/closed.ts";
import { confirmationPage } from "./domain/confirmation.ts";
import { bodyLimits } from "./http/body.ts";
import type { HttpResponse, RequestHandler } from "./http/handler.ts";
import type { HostCheck } from "./http/hosts.ts";
import { createRejection } from "./rejection.ts";

/** Creates the handler of all requests: to the API, to the control API and to the pages. Every other path gets the API's 404. */
export function createGateway(
  services: GatewayServices,
  app: App,
  onError: (error: unknown) => void,
): RequestHandler {
  const rejected = createRejection(services, app, onError);
  const outsideApi = async (request: ApiRequest): Promise<HttpResponse> => {
    try {
      return (await siteResponse(services, request)) ?? (await app.handle(request));
    } catch (error) {
      // The sandbox knows whether it closes, or only the workspace was removed.
      if (error instanceof ClosedError && request.workspace !== undefined) throw error;
      return rejected(error, request);
    }
  };
  return {
    handle: (request) => (isApi(request.target) ? app.handle(request) : outsideApi(request)),
    bodyLimit: (request) => (isApi(request.target) ? app.bodyLimit(request) : bodyLimits.control),
  };
}

/**
 * Rejects requests from the network that name another host, except probes. The response is one of the gateway, in the error shape of
 * the API.
 */
export function guardHosts(gateway: RequestHandler, app: App, isOwnHost: HostCheck): RequestHandler {
  const mayPass = ({ headers, target }: Pick<ApiRequest, "headers" | "target">): boolean =>
    isOwnHost(headers.host) || isProbe(pathOf(target));
  return {
    handle: (request) =>
      mayPass(request)
        ? gateway.handle(request)
        : Promise.resolve(app.renderError(unknownHost(request.headers.host))),
    bodyLimit: (request) => (mayPass(request) ? gateway.bodyLimit(request) : 0),
  };
}

const unknownHost = (host = "") =>
  errorResponse(
    "403.forbidden",
    `The Host header names an unknown host (got ${JSON.stringify(host.slice(0, 100))}), which could be another web site's. If it is a name of this sandbox, allow it: --allow-host NAME (option allowHosts).`,
  );

/**
 * Handles a request outside the API: probes, metrics, the control API under `/sandbox/`, and the pages. All but the probes show or change what
 * the sandbox holds: without `--control` only this machine can use them. Their code is loaded with the first request to them, so that a
 * sandbox used for its API only starts faster.
 *
 * @returns undefined for an unknown path
 */
export async function siteResponse(
  services: GatewayServices,
  request: ApiRequest,
): Promise<SiteResponse | undefined> {
  const path = pathOf(request.target);
  if (isProbe(path)) return (await import("./control/probes.ts")).probe(path, services, request);
  const { requestError } = await import("./control/guard.ts");
  if (path === "/metrics" && services.instance !== undefined) {
    const { metrics } = await import("./control/probes.ts");
    return requestError(services, request) ?? metrics(services.instance, services, request);
  }
  const { isPage, page } = await import("./pages/pages.ts");
  const isToControl = isControl(path);
  if (!isToControl && !isPage(path)) return undefined;
  // Recipients on other machines follow the link of a confirmation email, like that of the service.
  const rejected = path === confirmationPage ? undefined : requestError(services, request);
  if (rejected !== undefined) return rejected;
  await services.store.refresh();
  if (!isToControl) return page(services, request, path);
  const { control } = await import("./control/control.ts");
  return control(services, request, path);
}
