import type { OperationRow } from "../../generated/operations.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { ApiKey } from "../domain/records.ts";

/** Refuses a key without the ability that the operation needs. An operation that names none takes every key. */
export function checkAbility(
  operation: OperationRow,
  key: ApiKey,
): ErrorResponse<"403.forbidden"> | undefined {
  const { ability } = operation;
  if (ability === null || key.abilities.includes(ability)) return undefined;
  return errorResponse("403.forbidden", `This API key does not have the ability ${ability}.`);
}
