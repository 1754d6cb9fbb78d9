import type { ApiRequest } from "./api/context.ts";
import { type ErrorResponse, errorResponse } from "./api/error-response.ts";
import { isApi, isControl } from "./api/path-kinds.ts";
import { pathOf } from "./api/path-matcher.ts";
import type { App } from "./app.ts";
import type { GatewayServices } from "./control/operation.ts";
import { isProbe } from "./control/probe-paths.ts";
import { ClosedError } from "./domain/closed.ts";
import type { HttpResponse } from "./http/handler.ts";
import { failureOf } from "./middleware/failure.ts";
import { isStoreFailure, storeFailed } from "./store/failure.ts";

/** Responds to a request that an error of the sandbox ends. */
export type Rejection = (error: unknown, request: ApiRequest) => Promise<HttpResponse>;

/** Why a request cannot be handled: for the control API and the pages, and as an error of the API. */
interface Reason {
  status: number;
  message: string;
  hint: string;
  error: ErrorResponse;
}

type Responder = Pick<App, "reject">;

export function createRejection(
  services: GatewayServices,
  app: Responder,
  onError: (error: unknown) => void,
): Rejection {
  return async (error, request) => {
    if (error instanceof ClosedError) return closing(error);
    onError(error);
    return respond(services, app, request, reasonOf(error));
  };
}

/** The response to a request below the path of a workspace that does not exist. @param target the request's, below that path */
export function unknownWorkspace(
  services: GatewayServices,
  app: Responder,
  request: ApiRequest,
  { id, target }: { id: string; target: string },
): Promise<HttpResponse> {
  const message = `There is no workspace ${JSON.stringify(id.slice(0, 100))}; it may have expired.`;
  const hint = "List the others with GET /sandbox/workspaces, or create one with POST.";
  const error = errorResponse("404.not_found.path", `${message} ${hint}`);
  return respond(services, app, request, { status: 404, message, hint, error }, target);
}

/** Responds in the form of what the request was for: the API, the control API, or a page. */
async function respond(
  services: GatewayServices,
  app: Responder,
  request: ApiRequest,
  reason: Reason,
  target = request.target,
): Promise<HttpResponse> {
  const path = pathOf(target);
  if (isApi(path)) return app.reject(request, reason.error);
  const { headers } = reason.error;
  if (isControl(path) || isProbe(path)) {
    const { errorJson } = await import("./control/response.ts");
    return errorJson(reason, headers ?? {});
  }
  const { errorPage, isPage } = await import("./pages/pages.ts");
  if (!isPage(path)) return app.reject(request, reason.error);
  const page = errorPage({ services, request }, reason);
  return { ...page, headers: { ...page.headers, ...headers } };
}

function reasonOf(error: unknown): Reason {
  const response = failureOf(error);
  const status = response.id === "503" ? 503 : 500;
  const hint = status === 503 ? "Retry in a moment." : "The log of the sandbox has more.";
  return { status, message: messageOf(error), hint, error: response };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "The sandbox failed.";
  return isStoreFailure(error)
    ? storeFailed(error)
    : `The sandbox failed: ${error.message.replace(/\.$/, "")}.`;
}

async function closing({ message }: ClosedError): Promise<HttpResponse> {
  const { errorJson } = await import("./control/response.ts");
  return errorJson({ status: 503, message, hint: "Start it again." });
}
