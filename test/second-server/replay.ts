import { createHash } from "node:crypto";
import { ErrorResponse } from "./error-response.ts";
import type { ApiResponse, RequestContext } from "./request.ts";

const day = 86_400_000;

/** Handles a request once per idempotency key, and replays the response to the same bytes. Error responses are not replayed. */
export function once(context: RequestContext, run: () => ApiResponse): ApiResponse {
  const name = context.headers["idempotency-key"];
  if (name === undefined) return run();
  if (name.length > 256)
    throw new ErrorResponse(422, "invalid_request", "The idempotency key is too long.", {
      faults: { "Idempotency-Key": ["has more than 256 characters"] },
    });
  const { replays, now } = context.world;
  const id = JSON.stringify([context.keyText, context.path, name]);
  const fingerprint = createHash("sha256").update(context.text).digest("base64");
  const before = replays.get(id);
  if (before !== undefined && before.at > now() - day) {
    if (before.fingerprint !== fingerprint)
      throw new ErrorResponse(409, "idempotency_conflict", "This key was used for another request.");
    return {
      status: before.status,
      body: before.body,
      headers: { ...before.headers, "Idempotent-Replayed": "true" },
    };
  }
  const response = run();
  replays.set(id, { fingerprint, ...response, at: now() });
  return response;
}
