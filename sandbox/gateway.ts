import { type ApiRequest, bodyLimits, type HttpResponse, type RequestHandler } from "./api/context.ts";
import { type ErrorResponse, errorResponse } from "./api/error-response.ts";
import { pathOf } from "./api/paths.ts";
import { failureOf } from "./api/simulated-failure.ts";
import type { App } from "./app.ts";
import { errorJson, type GatewayServices, health, methodNotAllowed } from "./control/operation.ts";
import { confirmationPage } from "./domain/confirmation.ts";
import { ClosedError, StoreUnavailableError } from "./domain/store.ts";
import type { HostCheck } from "./http/hosts.ts";

/** Whether a request is to the API, by its target. Most targets are paths: nothing has to be parsed. */
const isApi = (target: string): boolean => target.startsWith("/api/") || pathOf(target).startsWith("/api/");

const isControl = (path: string): boolean => path === "/sandbox" || path.startsWith("/sandbox/");

/** Creates the handler of all requests: to the API, to the control API and to the pages. Every other path gets the API's 404. */
export function createGateway(
  services: GatewayServices,
  app: App,
  onError: (error: unknown) => void,
): RequestHandler {
  const outsideApi = async (request: ApiRequest): Promise<HttpResponse> => {
    try {
      return (await siteResponse(services, request)) ?? (await app.handle(request));
    } catch (error) {
      if (error instanceof ClosedError)
        return errorJson({ status: 503, message: error.message, hint: "Start it again." });
      onError(error);
      return errorResponseTo(services, app, request, error);
    }
  };
  return {
    handle: (request) => (isApi(request.target) ? app.handle(request) : outsideApi(request)),
    bodyLimit: (request) => (isApi(request.target) ? app.bodyLimit(request) : bodyLimits.control),
  };
}

/**
 * Rejects requests from the network that name another host, except to `/health`. The response is one of the gateway, in the error shape of
 * the API.
 */
export function guardHosts(gateway: RequestHandler, app: App, isOwnHost: HostCheck): RequestHandler {
  const mayPass = ({ headers, target }: Pick<ApiRequest, "headers" | "target">): boolean =>
    isOwnHost(headers.host) || pathOf(target) === "/health";
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
 * Handles a request outside the API: `/health`, the control API under `/sandbox/`, and the pages. All but `/health` show or change what
 * the sandbox holds: without `--control` only this machine can use them. Their code is loaded with the first request to them, so that a
 * sandbox used for its API only starts faster.
 * @returns undefined for an unknown path
 */
async function siteResponse(services: GatewayServices, request: ApiRequest) {
  const path = pathOf(request.target);
  if (path === "/health") {
    const { method } = request;
    return method === "GET" || method === "HEAD"
      ? health(services)
      : methodNotAllowed(method, path, ["GET", "HEAD"]);
  }
  const pages = isControl(path) ? undefined : await import("./pages/pages.ts");
  if (pages?.isPage(path) === false) return undefined;
  const { control, requestError } = await import("./control/control.ts");
  // Recipients on other machines follow the link of a confirmation email, like that of the service.
  const rejected = path === confirmationPage ? undefined : requestError(services, request);
  if (rejected !== undefined) return rejected;
  await services.store.readSettings();
  return pages === undefined ? control(services, request, path) : pages.page(services, request, path);
}

/** Responds to a request that an error of the sandbox ends, in the form of what it was for: the API, the control API, or a page. */
async function errorResponseTo(
  services: GatewayServices,
  app: Pick<App, "reject">,
  request: ApiRequest,
  error: unknown,
): Promise<HttpResponse> {
  const response: ErrorResponse = failureOf(error);
  const { headers } = response;
  const path = pathOf(request.target);
  const status = response.id === "503" ? 503 : 500;
  const hint = status === 503 ? "Retry in a moment." : "The log of the sandbox has more.";
  const reason = { status, message: messageOf(error), hint };
  if (isControl(path) || path === "/health") return errorJson(reason, headers ?? {});
  const { errorPage, isPage } = await import("./pages/pages.ts");
  if (!isPage(path)) return app.reject(request, response);
  const page = errorPage({ services, request }, reason);
  return { ...page, headers: { ...page.headers, ...headers } };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "The sandbox failed.";
  return error instanceof StoreUnavailableError
    ? error.message
    : `The sandbox failed: ${error.message.replace(/\.$/, "")}.`;
}
