import type { ApiRequest } from "./api/context.ts";
import { pathOfWorkspace, workspacePrefix } from "./api/origin.ts";
import { isApi } from "./api/path-kinds.ts";
import { pathOf } from "./api/path-matcher.ts";
import type { App } from "./app.ts";
import type { GatewayServices } from "./control/operation.ts";
import { ClosedError } from "./domain/closed.ts";
import { bodyLimits } from "./http/body.ts";
import type { HttpResponse, RequestHandler } from "./http/handler.ts";
import { createRejection, unknownWorkspace } from "./rejection.ts";
import type { Workspaces } from "./workspaces/workspaces.ts";

/** The sandbox itself, beside its workspaces. */
interface OwnWorld {
  gateway: RequestHandler;
  services: GatewayServices;
  app: App;
}

/** Passes requests below `/workspaces/{id}` to the world of the workspace, and all others to the sandbox's own. */
export function routeWorkspaces(
  { gateway: own, services, app }: OwnWorld,
  workspaces: Workspaces,
  onError: (error: unknown) => void,
): RequestHandler {
  const rejected = createRejection(services, app, onError);
  const handle = async (request: ApiRequest, route: Route): Promise<HttpResponse> => {
    const { id, target } = route;
    let below: ApiRequest = { ...request, target, workspace: { id, expiresAt: null } };
    try {
      const found = await workspaces.find(id);
      if (found === undefined) return await unknownWorkspace(services, app, request, { id, target });
      below = { ...below, workspace: found.entry };
      return moved(pathOfWorkspace(id), await found.world.gateway.handle(below));
    } catch (error) {
      // The workspace was removed meanwhile.
      if (error instanceof ClosedError && services.instance?.phase !== "closing")
        return unknownWorkspace(services, app, request, { id, target });
      return moved(pathOfWorkspace(id), await rejected(error, below));
    }
  };
  return {
    handle(request) {
      const route = routeOf(request.target);
      return route === undefined ? own.handle(request) : handle(request, route);
    },
    bodyLimit(request) {
      const route = routeOf(request.target);
      if (route === undefined) return own.bodyLimit(request);
      // What the API would read depends on the keys of the workspace, which may have to be opened first.
      return isApi(route.target) ? bodyLimits.api : bodyLimits.control;
    },
  };
}

/** The workspace of a request, and the target below its path. */
interface Route {
  id: string;
  target: string;
}

function routeOf(target: string): Route | undefined {
  const path = pathOf(target);
  if (!path.startsWith(workspacePrefix)) return undefined;
  const [id = "", ...rest] = path.slice(workspacePrefix.length).split("/");
  const query = target.indexOf("?");
  return id === "" ? undefined : { id, target: `/${rest.join("/")}${query < 0 ? "" : target.slice(query)}` };
}

/** Moves the links, forms and redirects of a page below a path. Text in a page has no quotation marks: they are escaped. */
function moved(base: string, response: HttpResponse): HttpResponse {
  const { headers, body } = response;
  if (headers.location?.startsWith("/")) headers.location = base + headers.location;
  if (typeof body !== "string" || !headers["content-type"]?.startsWith("text/html")) return response;
  // The HTML of a message, which is shown as it was sent.
  if (headers["content-security-policy"]?.startsWith("sandbox")) return response;
  return { ...response, body: body.replaceAll(/( (?:href|src|action|data-\w+)=")(?=\/)/g, `$1${base}`) };
}
