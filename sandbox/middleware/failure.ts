import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Failure, Failures } from "../api/failures.ts";

type FailureId = "500" | "502" | "503";

const messages: Readonly<Record<FailureId, string>> = {
  "500": "Something failed inside the service.",
  "502": "Something failed in the mail network.",
  "503": "The service cannot handle the request right now.",
};

/** Applies a simulated failure to a request: rejects it or delays it. One that closes the connection does nothing yet. */
export function applyFailure(
  failure: Failure,
  failures: Pick<Failures, "hold">,
): ErrorResponse<FailureId> | Promise<void> | undefined {
  if (failure.kind === "delay") return failures.hold(failure.milliseconds);
  return failure.kind === "status" ? failureResponse(failure.status) : undefined;
}

/** The response to a request that failed, simulated or not. */
export function failureResponse(status: 500 | 502 | 503): ErrorResponse<FailureId> {
  const id = `${status}` as const;
  return errorResponse(id, messages[id]);
}
