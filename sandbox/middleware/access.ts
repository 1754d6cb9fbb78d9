import type { OperationRow } from "../../generated/operations.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Account, ApiKey } from "../domain/records.ts";
import type { Directory } from "../seed/directory.ts";

const missing = errorResponse(
  "401.unauthorized",
  "Send your API key in the header: Authorization: Bearer <API_KEY>.",
);
const unknown = errorResponse("401.unauthorized", "This API key was not issued by the service.");
const revoked = errorResponse("401.unauthorized", "This API key was revoked.");
const replaced = errorResponse("401.unauthorized", "This API key was replaced, and its overlap is over.");

const noPlan = {
  email: errorResponse("402.no_plan", "This account has no transactional email plan."),
  newsletter: errorResponse("402.no_plan", "This account does not have the newsletter."),
};

const scheme = "bearer ";

/** Finds the API key of a request. A missing, unknown, revoked or replaced one is rejected with 401. */
export function findKey(
  authorization: string | undefined,
  directory: Directory,
  now: number,
): ApiKey | ErrorResponse<"401.unauthorized"> {
  if (authorization === undefined) return missing;
  // The scheme is case-insensitive (RFC 9110, 11.1).
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return missing;
  const key = directory.key(authorization.slice(scheme.length).trim());
  if (key === undefined) return unknown;
  if (key.revoked) return revoked;
  // The stop time itself is over.
  if (key.stopsAt !== null && now >= key.stopsAt) return replaced;
  return key;
}

/** Rejects a key without the ability of the operation, and an account without its product. */
export function checkAccess(
  { ability, product }: OperationRow,
  key: ApiKey,
  account: Account,
): ErrorResponse<"402.no_plan" | "403.forbidden"> | undefined {
  if (ability !== null && !key.abilities.includes(ability))
    return errorResponse("403.forbidden", `This API key does not have the ability ${ability}.`);
  return product === null || account.products[product] ? undefined : noPlan[product];
}
