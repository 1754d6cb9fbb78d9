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

const unknown = errorResponse("404.not_found", "Nothing on this account has this path parameter.");

/**
 * Parses and validates the path and query parameters of a request. Invalid ones are rejected with 422, which names them, except path
 * parameters of an operation that has 404 `not_found`: nothing exists with them, and the look-up of the handler returns that. It comes after
 * the fields of the body. A path parameter that is not of its type gets 404 here.
 */
export function readParameters(
  { operation, parameters: path }: Route,
  target: string,
  parser: ParametersParser,
): Parameters | ErrorResponse<"404.not_found" | "422.invalid_request"> {
  if (operation.pathParameters.length + operation.queryParameters.length === 0) return none;
  const { values, errors } = parser.parse({ path, query: new URLSearchParams(queryOf(target)) });
  if (errors === null) return values;
  const isLookedUp = canReturn(operation, "404.not_found");
  const inPath = errors.filter(({ instancePath }) => isLookedUp && instancePath.startsWith("/path"));
  const others = errors.filter((error) => !inPath.includes(error));
  // Names start with the group: `query.limit`.
  if (others.length > 0)
    return invalidFields(
      faultsOf(others).map(([name, sentence]) => [name.slice(name.indexOf(".") + 1), sentence]),
    );
  return inPath.some(({ keyword }) => keyword === "type") ? unknown : values;
}
