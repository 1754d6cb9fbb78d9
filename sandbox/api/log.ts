import { errors } from "../../generated/errors.ts";
import type { ApiResponse, RequestContext, Services } from "./context.ts";
import type { ErrorResponse } from "./error-response.ts";
import { errorTypeOf } from "./response.ts";

const none: string[] = [];

/** What the log needs of a request and its response. */
export interface RequestLogEntry {
  requestId: string;
  now: number;
  method: string;
  path: string;
  /** Null without an operation or a valid key. */
  context: RequestContext | null;
  error: ErrorResponse | null;
}

/**
 * Logs a request: never its body or its key, and in the store only when it has an account and an operation (Call log). The pages also show
 * the others, and what else is known of the last ones, from memory.
 */
export function logRequest(
  logged: RequestLogEntry,
  { status, body }: ApiResponse,
  milliseconds: number,
  { store, recent, onRequest }: Services,
): void {
  const { requestId, method, path, error, now: at } = logged;
  const errorType = error === null ? null : errorTypeOf(errors[error.id]);
  const accountId = logged.context?.account.id ?? null;
  // Only sends are accepted with 202.
  const accepted = status === 202 ? body : null;
  const confirmation = logged.context?.confirmation ?? null;
  recent.add({ requestId, at, accountId, method, path, status, error, accepted, confirmation });
  if (accountId !== null) {
    const fields = error === null || error.fields === null ? none : Object.keys(error.fields);
    const entry = { requestId, accountId, method, path, status, errorType, fields, at };
    store.logRequest(entry);
  }
  if (onRequest === undefined) return;
  const time = Date.now();
  onRequest({ time, at, requestId, accountId, method, path, status, errorType, milliseconds });
}
