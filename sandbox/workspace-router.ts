import type { ApiRequest } from "./api/context.ts";
import { bodyLimits } from "./http/body.ts";
import type { HttpResponse, RequestHandler } from "./http/node.ts";
import { pathOfWorkspace, type Workspaces, workspacePrefix } from "./workspaces/workspaces.ts";

/**
 * Passes requests below `/workspaces/{id}` to the world of the workspace, and all others to the sandbox's own.
 *
 * @param rejected the response to a request whose workspace cannot be opened
 */
export function routeWorkspaces(
  own: RequestHandler,
  workspaces: Workspaces,
  rejected: (error: unknown) => HttpResponse | Promise<HttpResponse>,
): RequestHandler {
  const handle = async (request: ApiRequest): Promise<HttpResponse> => {
    const route = routeOf(request.target);
    if (route === undefined) return own.handle(request);
    const world = await workspaces.find(route.id);
    if (world === undefined) return unknownWorkspace();
    const base = pathOfWorkspace(route.id);
    return below(base, await world.gateway.handle({ ...request, target: route.target, base }));
  };
  return {
    handle: (request) =>
      request.target.startsWith(workspacePrefix) ? handle(request).catch(rejected) : own.handle(request),
    bodyLimit(request) {
      const route = routeOf(request.target);
      if (route === undefined) return own.bodyLimit(request);
      // What the API would read depends on the keys of the workspace, which may have to be opened first.
      return route.target.startsWith("/api/") ? bodyLimits.api : bodyLimits.control;
    },
  };
}

function routeOf(target: string): { id: string; target: string } | undefined {
  const [, id, rest = ""] = /^\/workspaces\/([0-9a-f]{20})(?=[/?]|$)(.*)$/s.exec(target) ?? [];
  return id === undefined ? undefined : { id, target: rest.startsWith("/") ? rest : `/${rest}` };
}

async function unknownWorkspace(): Promise<HttpResponse> {
  const { errorJson } = await import("./control/response.ts");
  return errorJson({
    status: 404,
    message: "There is no such workspace; it may have expired.",
    hint: "Create one with POST /sandbox/workspaces.",
  });
}

/** Moves the links, forms and redirects of a page below a path. Text in a page has no quotation marks: they are escaped. */
function below(base: string, response: HttpResponse): HttpResponse {
  const { headers, body } = response;
  if (headers.location?.startsWith("/")) headers.location = base + headers.location;
  if (typeof body !== "string" || !headers["content-type"]?.startsWith("text/html")) return response;
  return { ...response, body: body.replaceAll(/( (?:href|src|action|data-\w+)=")(?=\/)/g, `$1${base}`) };
}
