import { headers } from "../../generated/headers.ts";
import type { OperationId, OperationRow } from "../../generated/operations.ts";
import { decoded } from "../../lib/text.ts";
import type { ApiRequest } from "./context.ts";
import { type ErrorResponse, errorResponse } from "./error-response.ts";

/** The value of a path template, with the path parameters decoded. */
interface PathMatch<Value> {
  readonly value: Value;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Creates a matcher for path templates such as `/emails/{id}`. A template without path parameters comes before one with. Paths are compared
 * as they were sent, and only path parameters are decoded, once: `..`, doubled slashes and doubly encoded characters match nothing else.
 * @returns a function from a path to its match; undefined for a path that no template has
 */
export function createPathMatcher<Value>(
  templates: Iterable<readonly [template: string, value: Value]>,
): (path: string) => PathMatch<Value> | undefined {
  const fixed = new Map<string, PathMatch<Value>>();
  const open: { value: Value; pattern: RegExp }[] = [];
  for (const [template, value] of templates) {
    const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    if (template.includes("{")) open.push({ value, pattern });
    else fixed.set(template, { value, parameters: {} });
  }
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return known;
    for (const { value, pattern } of open) {
      const { groups } = pattern.exec(path) ?? {};
      const parameters = Object.entries(groups ?? {}).map(([name, text]) => [name, decoded(text)] as const);
      // No id and no email address has a NUL, which PostgreSQL has in no text.
      const isText = parameters.every(([, text]) => text !== undefined && !text.includes("\0"));
      if (groups !== undefined && isText)
        return { value, parameters: Object.fromEntries(parameters) as Record<string, string> };
    }
    return undefined;
  };
}

/** The path of a request target as it was sent: without the query, and without the scheme and host that a request to a proxy has. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  // `*` stands for the server as a whole (RFC 9110, 7.1).
  if (path.startsWith("/") || path === "*") return path;
  const afterScheme = path.indexOf("://");
  const slash = afterScheme < 0 ? -1 : path.indexOf("/", afterScheme + 3);
  return slash < 0 ? "/" : path.slice(slash);
}

/** The query of a request target, without the question mark. */
export function queryOf(target: string): string {
  const start = target.indexOf("?");
  return start < 0 ? "" : target.slice(start + 1);
}

/** The URL of the sandbox that a request came to: behind a proxy, the one that the client used. */
export const originOf = ({ headers }: Pick<ApiRequest, "headers">): string =>
  `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${headers.host ?? "localhost"}`;

/** The operation of a request, with its path parameters decoded. */
export interface Route {
  operation: OperationRow & { readonly id: OperationId };
  parameters: Readonly<Record<string, string>>;
}

/** The gateway responses: those of a request that no operation matches. */
export type GatewayError = ErrorResponse<"404.not_found.path" | "405.method_not_allowed">;

/** @returns finds the operation of a request, or rejects it with 404 for its path or with 405 and `Allow` for its method */
export function createRouter(operations: Iterable<Route["operation"]>) {
  const match = createPathMatcher(Map.groupBy(operations, ({ path }) => path));
  return (method: string, path: string): Route | GatewayError => {
    const found = match(path);
    if (found === undefined) return errorResponse("404.not_found.path", "The API does not have this path.");
    const operation = found.value.find((one) => one.method === method);
    if (operation !== undefined) return { operation, parameters: found.parameters };
    const allow = found.value.map((one) => one.method).join(", ");
    return errorResponse("405.method_not_allowed", `This path accepts ${allow} only.`, {
      [headers.Allow.name]: allow,
    });
  };
}
