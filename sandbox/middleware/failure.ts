import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Failure, Failures } from "../control/failures.ts";

/** The rows of the error table that stand for failures of the service. */
export type FailureId = "500" | "502" | "503";

const sentences: Readonly<Record<FailureId, string>> = {
  "500": "Something failed inside the service.",
  "502": "Something failed in the mail network.",
  "503": "The service cannot do the work right now.",
};

/** What a failure that was asked for does to a call before its work: it refuses it, holds it up in real time, or nothing yet. */
export function applyFailure(
  failure: Failure,
  failures: Pick<Failures, "hold">,
): ErrorResponse<FailureId> | Promise<void> | undefined {
  if (failure.kind === "delay") return failures.hold(failure.milliseconds);
  return failure.kind === "status" ? failureResponse(failure.status) : undefined;
}

/** A call that failed, on purpose or not. */
export function failureResponse(status: 500 | 502 | 503): ErrorResponse<FailureId> {
  const id = `${status}` as const;
  return errorResponse(id, sentences[id]);
}
