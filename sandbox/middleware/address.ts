import { headers } from "../../generated/headers.ts";
import type { OperationId, OperationRow } from "../../generated/operations.ts";
import { ErrorResponse, errorResponse } from "../api/error-response.ts";
import { findAddress } from "../api/router.ts";

/** Where a call goes. */
export interface Route {
  operation: OperationRow & { readonly id: OperationId };
  parameters: Readonly<Record<string, string>>;
}

const unknownAddress = errorResponse("404.not_found.path", "There is nothing at this address of the API.");

const wrongMethods = new Map<string, ErrorResponse<"405.method_not_allowed">>();

/** Finds the operation of a call: an unknown address is refused with 404, a method it does not take with 405 and `Allow`. */
export function findRoute(
  method: string,
  path: string,
): Route | ErrorResponse<"404.not_found.path" | "405.method_not_allowed"> {
  const match = findAddress(path);
  if (match === undefined) return unknownAddress;
  const operation = match.address.operations.get(method);
  return operation === undefined
    ? wrongMethod(match.address.allow)
    : { operation, parameters: match.parameters };
}

function wrongMethod(allow: string): ErrorResponse<"405.method_not_allowed"> {
  const known = wrongMethods.get(allow);
  if (known !== undefined) return known;
  const refusal = new ErrorResponse("405.method_not_allowed", `This address takes ${allow} only.`, null, {
    [headers.Allow.name]: allow,
  });
  wrongMethods.set(allow, refusal);
  return refusal;
}
