import { errors } from "../../generated/errors.ts";
import type { ApiResponse, RequestContext, Services } from "../api/context.ts";
import type { ErrorResponse } from "../api/error-response.ts";

const none: string[] = [];

/** What the log is told of a call. */
export interface LoggedCall {
  requestId: string;
  now: number;
  method: string;
  path: string;
  /** Null when the call belongs to no account or no address. */
  exchange: RequestContext | null;
  refusal: ErrorResponse | null;
  /** When it came in, by a clock that only ever runs forward. */
  startedAt: number;
}

/**
 * Notes a call that was answered: never its body or its key, and only where it belongs to an account and an address (Call log).
 *
 * @param isKept whether the store still is the one that the call came to
 */
export function logCall(call: LoggedCall, answer: ApiResponse, parts: Services, isKept: boolean): void {
  const { requestId, method, path, refusal, now: at } = call;
  const errorType = refusal === null ? null : (errors[refusal.id].type ?? refusal.id);
  const { status } = answer;
  const accountId = call.exchange?.account.id ?? null;
  if (accountId !== null && isKept) {
    const fields = refusal === null || refusal.fields === null ? none : Object.keys(refusal.fields);
    parts.store.logRequest({ requestId, accountId, method, path, status, errorType, fields, at });
  }
  if (parts.onRequest === undefined) return;
  const milliseconds = performance.now() - call.startedAt;
  parts.onRequest({ at, requestId, accountId, method, path, status, errorType, milliseconds });
}
