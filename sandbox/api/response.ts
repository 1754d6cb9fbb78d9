import { type ErrorRow, errors } from "../../generated/errors.ts";
import { type HeaderRow, headers as named } from "../../generated/headers.ts";
import type { OperationRow } from "../../generated/operations.ts";
import type { ApiResponse, Success } from "./context.ts";
import type { ErrorResponse } from "./error-response.ts";

const json = "application/json; charset=utf-8";

/** The `error.type` of errors that have none in the service description. */
const unspecified = "unspecified";

/** The `error.type` of the response that a row of the error table describes. */
export const errorTypeOf = ({ type }: Pick<ErrorRow, "type">): string => type ?? unspecified;

/** Renders an error response; the only place that writes the error body. */
export function renderError({ id, message, fields, headers }: ErrorResponse, requestId: string): ApiResponse {
  const error: Record<string, unknown> = { type: errorTypeOf(errors[id]), message };
  if (fields !== null) error.fields = fields;
  error.request_id = requestId;
  const sent: Record<string, string> = { "Content-Type": json, [named.ServiceRequestId.name]: requestId };
  if (headers !== null) Object.assign(sent, headers);
  return { status: errors[id].status, headers: sent, body: JSON.stringify({ error }) };
}

const quota: HeaderRow = named.MonthlyQuota;

/** Whether the responses of an operation carry the quota headers. */
export const hasQuotaHeaders = ({ id }: OperationRow): boolean => quota.operations?.includes(id) === true;

/** Renders a successful response, with the limits of the account in its headers. */
export function renderSuccess(
  success: Success,
  requestId: string,
  account: { rateLimit: string; rateRemaining: number; monthlyQuota: number },
): ApiResponse {
  const headers: Record<string, string> = {
    "Content-Type": json,
    [named.ServiceRequestId.name]: requestId,
    [named.RateLimitLimit.name]: account.rateLimit,
    [named.RateLimitRemaining.name]: String(account.rateRemaining),
  };
  if (success.used !== undefined) {
    headers[named.MonthlyQuota.name] = String(account.monthlyQuota);
    const remaining = account.monthlyQuota - success.used;
    headers[named.MonthlyRemaining.name] = String(Math.max(0, remaining));
  }
  if (success.replayed === true) headers[named.IdempotentReplayed.name] = "true";
  return { status: success.status, headers, body: success.body };
}

/** A response without an error body, as a 500 may come. */
export function renderEmpty(status: number, requestId: string): ApiResponse {
  return { status, headers: { [named.ServiceRequestId.name]: requestId }, body: "" };
}
