import { inspect } from "node:util";
import { ApiError, ConnectionError, TimeoutError } from "../../../client/src/index.ts";
import type { CallError } from "../../../contract/client-suite/driver/protocol.ts";

/** An error of the client in the words of the driver protocol. */
export function errorOf(error: unknown): CallError {
  // With all its properties, as a log shows it.
  const message = inspect(error, { depth: null });
  if (error instanceof TimeoutError) return { kind: "timeout", message };
  if (error instanceof ConnectionError) return { kind: "connection", message };
  if (!(error instanceof ApiError)) return { kind: "not sent", message };
  const { status, type, fields, requestId } = error;
  if (status < 300) return { kind: "unreadable", status, requestId, message };
  return { kind: "response", status, type, fields, requestId, message };
}
