import { emptyAnswer, refusalAnswer, successAnswer } from "./answers/answer.ts";
import type { ApiAnswer, ApiRequest, Parts, Success } from "./exchange.ts";
import { failureRefusal } from "./middleware/failure.ts";
import { logCall } from "./middleware/log.ts";
import { createRateBudget, type RateBudget } from "./middleware/rate.ts";
import { Refusal } from "./refusal.ts";
import { arrival, type Call, outcomeOf } from "./steps.ts";

export type { AnsweredCall, ApiAnswer, ApiRequest, Parts } from "./exchange.ts";

/** The API from request to answer, without a socket. */
export interface App {
  /** Answers a call. What goes wrong inside is a 500; it rejects only when the store has ended meanwhile. */
  answer(request: ApiRequest): Promise<ApiAnswer>;
  /** Refuses a request that is not a call of the API, or could not be read as one. */
  refuse(refusal: Refusal): ApiAnswer;
  /** Before the store forgets everything and gives its numbers out again: calls that are under way belong to what was, and are not kept. */
  leave(): void;
  /** Forgets how often each account called; what else is to be forgotten, others keep. */
  reset(): void;
}

/** Puts the API together. */
export function createApp(parts: Parts): App {
  const budget = createRateBudget(parts.requestsPerMinute);
  let life = 0;
  return {
    leave: () => {
      life += 1;
    },
    reset: budget.reset,
    refuse: (refusal) => refusalAnswer(refusal, parts.ids.request(parts.clock.now())),
    async answer(request) {
      const call = arrival(request, parts);
      const began = life;
      let outcome: Success | Refusal;
      try {
        outcome = await outcomeOf(call, parts, budget);
      } catch (error) {
        parts.onError?.(error);
        outcome = failureRefusal(500);
      }
      const answer = answerOf(outcome, call, budget);
      logCall(call, answer, parts, life === began);
      return answer;
    },
  };
}

function answerOf(outcome: Success | Refusal, call: Call, budget: RateBudget): ApiAnswer {
  const answer = plainAnswer(outcome, call, budget);
  if (call.ending === "empty") return emptyAnswer(answer.status, call.requestId);
  if (call.ending === "cut") answer.cut = true;
  return answer;
}

function plainAnswer(outcome: Success | Refusal, call: Call, budget: RateBudget): ApiAnswer {
  if (outcome instanceof Refusal) {
    call.refusal = outcome;
    return refusalAnswer(outcome, call.requestId);
  }
  const { id = "", monthlyQuota = 0 } = call.exchange?.account ?? {};
  return successAnswer(outcome, call.requestId, {
    rateLimit: String(budget.limitOf(id)),
    rateRemaining: call.rateRemaining,
    monthlyQuota,
  });
}
