import { styleText } from "node:util";
import type { HandledRequest } from "../api/context.ts";

/** One line for each call: for people, or as JSON for programs. Never a key, never a body, never a query. */
export const callLine = (call: HandledRequest, format: "text" | "json"): string =>
  format === "json" ? jsonLine(call) : textLine(call);

const jsonLine = (call: HandledRequest): string =>
  JSON.stringify({
    event: "call",
    at: new Date(call.at).toISOString(),
    request_id: call.requestId,
    account: call.accountId,
    method: call.method,
    path: call.path,
    status: call.status,
    error_type: call.errorType,
    milliseconds: Math.round(call.milliseconds * 1000) / 1000,
  });

function textLine({ at, method, path, status, errorType, milliseconds }: HandledRequest): string {
  const time = new Date(at).toISOString().slice(11, 19);
  const result = errorType === null ? String(status) : `${status} ${errorType}`;
  const colour = status < 400 ? "green" : status < 500 ? "yellow" : "red";
  // A path comes from outside: nothing in it may move the cursor of a terminal.
  const shown = path.slice(0, 200).replaceAll(/[^\x21-\x7e]/g, "?");
  return `${time} ${method} ${shown} ${styleText(colour, result)} ${styleText("dim", `${milliseconds.toFixed(1)} ms`)}`;
}
