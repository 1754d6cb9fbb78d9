import type { ApiRequest } from "./context.ts";

/** The start of the paths of all workspaces. */
export const workspacePrefix = "/workspaces/";

/** The path of a workspace, which its API, control API and pages are below. */
export const pathOfWorkspace = (id: string): string => workspacePrefix + id;

/** The URL of the sandbox or workspace that a request came to: behind a proxy, the one that the client used. */
export const originOf = (request: Pick<ApiRequest, "headers" | "workspace">): string =>
  sandboxOf(request) + (request.workspace === undefined ? "" : pathOfWorkspace(request.workspace.id));

/** The URL of the sandbox that a request came to, also if it came to a workspace. */
export function sandboxOf({ headers }: Pick<ApiRequest, "headers">): string {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${headers.host ?? "localhost"}`;
}

/** A path as the client sees it. */
export const pathAtClient = (path: string, { workspace }: Pick<ApiRequest, "workspace">): string =>
  workspace === undefined ? path : pathOfWorkspace(workspace.id) + path;

/** Text for people, with the path of the workspace before those of the pages and the control API. */
export const withBase = (text: string, { workspace }: Pick<ApiRequest, "workspace">): string =>
  workspace === undefined
    ? text
    : text.replaceAll(/(?<=\b(?:page|GET|POST|DELETE) )(?=\/)/g, pathOfWorkspace(workspace.id));
