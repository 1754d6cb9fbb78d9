import { errors } from "../../generated/errors.ts";
import { type HeaderRow, headers as named } from "../../generated/headers.ts";
import type { OperationRow } from "../../generated/operations.ts";
import type { ApiResponse, Success } from "../api/context.ts";
import type { ErrorResponse } from "../api/error-response.ts";

/** What every answer of the API is. */
const json = "application/json; charset=utf-8";

/** What stands in for `error.type` where the service names none. */
const unspecified = "unspecified";

/** Answers a call that is refused: every error of the API is written here. */
export function renderError({ id, message, fields, headers }: ErrorResponse, requestId: string): ApiResponse {
  const row = errors[id];
  const error: Record<string, unknown> = { type: row.type ?? unspecified, message };
  if (fields !== null) error.fields = fields;
  error.request_id = requestId;
  const sent: Record<string, string> = { "Content-Type": json, [named.RequestId.name]: requestId };
  if (headers !== null) Object.assign(sent, headers);
  return { status: row.status, headers: sent, body: JSON.stringify({ error }) };
}

const quota: HeaderRow = named.MonthlyQuota;

/** Whether the answers of an operation tell what is left of the month's e-mails. */
export const hasQuotaHeaders = ({ id }: OperationRow): boolean => quota.operations?.includes(id) === true;

/** What the account may still do, as successful answers tell it. */
export interface AccountLimits {
  rateLimit: string;
  rateRemaining: number;
  monthlyQuota: number;
}

/** Answers a call that was done. */
export function renderSuccess(success: Success, requestId: string, budgets: AccountLimits): ApiResponse {
  const headers: Record<string, string> = {
    "Content-Type": json,
    [named.RequestId.name]: requestId,
    [named.RateLimitLimit.name]: budgets.rateLimit,
    [named.RateLimitRemaining.name]: String(budgets.rateRemaining),
  };
  if (success.used !== undefined) {
    headers[named.MonthlyQuota.name] = String(budgets.monthlyQuota);
    const left = budgets.monthlyQuota - success.used;
    headers[named.MonthlyRemaining.name] = String(Math.max(0, left));
  }
  if (success.replayed === true) headers[named.IdempotentReplayed.name] = "true";
  return { status: success.status, headers, body: success.body };
}

/** The answer to a failure without the error's shape, as a 500 may come. */
export function renderEmpty(status: number, requestId: string): ApiResponse {
  return { status, headers: { [named.RequestId.name]: requestId }, body: "" };
}
