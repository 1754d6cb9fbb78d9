import { headers } from "../../generated/headers.ts";
import { count } from "../../lib/text.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Failures } from "../api/failures.ts";
import type { Failure } from "../domain/failures.ts";
import { StoreUnavailableError } from "../domain/unavailable.ts";
import { isStoreFailure } from "../store/failure.ts";

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
): ErrorResponse<FailureId | "429.rate_limited"> | Promise<void> | undefined {
  if (failure.kind === "delay") return failures.hold(failure.milliseconds);
  if (failure.kind === "rate limit") return simulatedLimit(failure.retryAfter);
  return failure.kind === "status" ? failureResponse(failure.status) : undefined;
}

/** The response to a request that failed, simulated or not. */
function failureResponse(status: 500 | 502 | 503, retryAfter?: number): ErrorResponse<FailureId> {
  const id = `${status}` as const;
  const wait = retryAfter === undefined ? {} : { [headers.OptionalRetryAfter.name]: String(retryAfter) };
  return errorResponse(id, messages[id], wait);
}

const simulatedLimit = (seconds: number): ErrorResponse<"429.rate_limited"> =>
  errorResponse("429.rate_limited", `This rate limit is simulated. Wait ${count(seconds, "second")}.`, {
    [headers.RetryAfter.name]: String(seconds),
  });

/** The response to a request that an error of the sandbox ends: a store that fails for now is no failure of the request. */
export function failureOf(error: unknown): ErrorResponse<FailureId> {
  if (error instanceof StoreUnavailableError) return failureResponse(503, error.retryAfter);
  return isStoreFailure(error) ? failureResponse(503, 1) : failureResponse(500);
}
