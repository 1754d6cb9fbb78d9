import type { ParameterTexts, ValidationError } from "../../generated/validators/requests.js";
import { canReturn, type ErrorResponse, errorResponse, invalidFields } from "../api/error-response.ts";
import { queryOf } from "../api/path-matcher.ts";
import type { Route } from "../api/router.ts";
import { faultsOf } from "./field-errors.ts";

/** Path and query parameters as the types of their schemas. */
export interface Parameters {
  path: object;
  query: object;
}

/** The generated parser of an operation's parameters. */
export interface ParametersParser {
  parse(parameters: ParameterTexts): { values: Parameters; errors: ValidationError[] | null };
}

const none: Parameters = { path: {}, query: {} };

/**
 * Parses and validates the path and query parameters of a request. Invalid ones are rejected with 422, which names them. But nothing exists
 * with an invalid path parameter: operations that have 404 `not_found` return that.
 */
export function readParameters(
  { operation, parameters: path }: Route,
  target: string,
  parser: ParametersParser,
): Parameters | ErrorResponse<"404.not_found" | "422.invalid_request"> {
  if (operation.pathParameters.length + operation.queryParameters.length === 0) return none;
  const { values, errors } = parser.parse({ path, query: new URLSearchParams(queryOf(target)) });
  if (errors === null) return values;
  const inPath = errors.some(({ instancePath }) => instancePath.startsWith("/path"));
  if (inPath && canReturn(operation, "404.not_found"))
    return errorResponse("404.not_found", "Nothing on this account has this path parameter.");
  // Names start with the group: `query.limit`.
  return invalidFields(
    faultsOf(errors).map(([name, sentence]) => [name.slice(name.indexOf(".") + 1), sentence]),
  );
}
