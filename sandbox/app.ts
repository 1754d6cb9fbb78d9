import type { ApiRequest, ApiResponse, Services, Success } from "./api/context.ts";
import { ErrorResponse } from "./api/error-response.ts";
import { failureResponse } from "./middleware/failure.ts";
import { logCall } from "./middleware/log.ts";
import { createRateLimiter, type RateLimiter } from "./middleware/rate.ts";
import { renderEmpty, renderError, renderSuccess } from "./responses/response.ts";
import { arrival, type Call, outcomeOf } from "./steps.ts";

export type { ApiRequest, ApiResponse, HandledRequest, Services } from "./api/context.ts";

/** The API from request to answer, without a socket. */
export interface App {
  /** Answers a call. What goes wrong inside is a 500; it rejects only when the store has ended meanwhile. */
  answer(request: ApiRequest): Promise<ApiResponse>;
  /** Refuses a request that is not a call of the API, or could not be read as one. */
  refuse(refusal: ErrorResponse): ApiResponse;
  /** Before the store forgets everything and gives its numbers out again: calls that are under way belong to what was, and are not kept. */
  leave(): void;
  /** Forgets how often each account called; what else is to be forgotten, others keep. */
  reset(): void;
}

/** Puts the API together. */
export function createApp(parts: Services): App {
  const budget = createRateLimiter(parts.requestsPerMinute);
  let life = 0;
  return {
    leave: () => {
      life += 1;
    },
    reset: budget.reset,
    refuse: (refusal) => renderError(refusal, parts.ids.request(parts.clock.now())),
    async answer(request) {
      const call = arrival(request, parts);
      const began = life;
      let outcome: Success | ErrorResponse;
      try {
        outcome = await outcomeOf(call, parts, budget);
      } catch (error) {
        parts.onError?.(error);
        outcome = failureResponse(500);
      }
      const answer = answerOf(outcome, call, budget);
      logCall(call, answer, parts, life === began);
      return answer;
    },
  };
}

function answerOf(outcome: Success | ErrorResponse, call: Call, budget: RateLimiter): ApiResponse {
  const answer = plainAnswer(outcome, call, budget);
  if (call.ending === "empty") return renderEmpty(answer.status, call.requestId);
  if (call.ending === "cut") answer.cut = true;
  return answer;
}

function plainAnswer(outcome: Success | ErrorResponse, call: Call, budget: RateLimiter): ApiResponse {
  if (outcome instanceof ErrorResponse) {
    call.refusal = outcome;
    return renderError(outcome, call.requestId);
  }
  const { id = "", monthlyQuota = 0 } = call.exchange?.account ?? {};
  return renderSuccess(outcome, call.requestId, {
    rateLimit: String(budget.limitOf(id)),
    rateRemaining: call.rateRemaining,
    monthlyQuota,
  });
}
