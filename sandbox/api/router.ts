import { headers } from "../../generated/headers.ts";
import type { OperationId, OperationRow } from "../../generated/operations.ts";
import { type ErrorResponse, errorResponse } from "./error-response.ts";
import { createPathMatcher } from "./path-matcher.ts";

/** The operation of a request, with its path parameters decoded. */
export interface Route {
  operation: OperationRow & { readonly id: OperationId };
  parameters: Readonly<Record<string, string>>;
}

/** The gateway responses: those of a request that no operation matches. */
export type GatewayError = ErrorResponse<"404.not_found.path" | "405.method_not_allowed">;

/** Finds the operation of a request, or rejects it with 404 for its path or with 405 and `Allow` for its method. */
export type Router = (method: string, path: string) => Route | GatewayError;

const unknownPath = errorResponse("404.not_found.path", "The API does not have this path.");

export function createRouter(operations: Iterable<Route["operation"]>): Router {
  const methods = new Map<string, Map<string, Route["operation"]>>();
  for (const operation of operations) {
    const known = methods.get(operation.path) ?? new Map();
    methods.set(operation.path, known.set(operation.method, operation));
  }
  const match = createPathMatcher(
    [...methods].map(([path, known]) => [path, { methods: known, wrongMethod: wrongMethod(known) }] as const),
  );
  return (method, path) => {
    const found = match(path);
    if (found === undefined) return unknownPath;
    const operation = found.value.methods.get(method);
    return operation === undefined ? found.value.wrongMethod : { operation, parameters: found.parameters };
  };
}

function wrongMethod(methods: ReadonlyMap<string, unknown>): GatewayError {
  const allow = [...methods.keys()].join(", ");
  return errorResponse("405.method_not_allowed", `This path accepts ${allow} only.`, {
    [headers.Allow.name]: allow,
  });
}
