import { errors } from "../../generated/errors.ts";
import type { ApiAnswer, Success } from "../exchange.ts";
import type { Refusal } from "../refusal.ts";

/** What every answer of the API is. */
const json = "application/json; charset=utf-8";

/** What stands in for `error.type` where the service names none. */
const unspecified = "unspecified";

/** Answers a call that is refused: every error of the API is written here. */
export function refusalAnswer({ id, message, fields, headers }: Refusal, requestId: string): ApiAnswer {
  const row = errors[id];
  const error: Record<string, unknown> = { type: row.type ?? unspecified, message };
  if (fields !== null) error.fields = fields;
  error.request_id = requestId;
  const sent: Record<string, string> = { "Content-Type": json, "X-Service-Request-Id": requestId };
  if (headers !== null) Object.assign(sent, headers);
  return { status: row.status, headers: sent, body: JSON.stringify({ error }) };
}

/** What the account may still do, as successful answers tell it. */
export interface Budgets {
  rateLimit: string;
  rateRemaining: number;
  monthlyQuota: number;
}

/** Answers a call that was done. */
export function successAnswer(success: Success, requestId: string, budgets: Budgets): ApiAnswer {
  const headers: Record<string, string> = {
    "Content-Type": json,
    "X-Service-Request-Id": requestId,
    "X-RateLimit-Limit": budgets.rateLimit,
    "X-RateLimit-Remaining": String(budgets.rateRemaining),
  };
  if (success.used !== undefined) {
    headers["X-Service-Monthly-Quota"] = String(budgets.monthlyQuota);
    headers["X-Service-Monthly-Remaining"] = String(Math.max(0, budgets.monthlyQuota - success.used));
  }
  if (success.replayed === true) headers["Idempotent-Replayed"] = "true";
  return { status: success.status, headers, body: success.body };
}

/** The answer to a failure without the error's shape, as a 500 may come. */
export function emptyAnswer(status: number, requestId: string): ApiAnswer {
  return { status, headers: { "X-Service-Request-Id": requestId }, body: "" };
}
