import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Directory } from "../domain/directory.ts";
import type { ApiKey } from "../domain/records.ts";

const missing = errorResponse(
  "401.unauthorized",
  "Send your API key in the header: Authorization: Bearer <API_KEY>.",
);
const unknown = errorResponse("401.unauthorized", "This API key was not issued by the service.");
const revoked = errorResponse("401.unauthorized", "This API key was revoked.");
const replaced = errorResponse("401.unauthorized", "This API key was replaced, and its overlap is over.");

const scheme = "bearer ";

/** Finds the key of a call: none, a foreign one, a revoked one or one whose overlap is over is refused with 401. */
export function findKey(
  authorization: string | undefined,
  directory: Directory,
  now: number,
): ApiKey | ErrorResponse<"401.unauthorized"> {
  if (authorization === undefined) return missing;
  // The case of the word does not count, as in HTTP at large (RFC 9110, 11.1).
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return missing;
  const key = directory.key(authorization.slice(scheme.length).trim());
  if (key === undefined) return unknown;
  if (key.revoked) return revoked;
  // The key ends at its stop time, not after it.
  if (key.stopsAt !== null && now >= key.stopsAt) return replaced;
  return key;
}
