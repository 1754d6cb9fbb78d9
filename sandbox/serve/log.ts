import { styleText } from "node:util";
import { errors } from "../../generated/errors.ts";
import { errorUrl } from "../../lib/text.ts";
import type { HandledRequest } from "../api/context.ts";

/** The log line of a request, without query, body and key. */
export const requestLine = (request: HandledRequest, format: "text" | "json", docs?: string): string =>
  format === "json" ? jsonLine(request) : textLine(request, docs);

const jsonLine = (request: HandledRequest): string =>
  JSON.stringify({
    time: new Date(request.time).toISOString(),
    event: "request",
    at: new Date(request.at).toISOString(),
    request_id: request.requestId,
    account: request.accountId,
    method: request.method,
    path: request.path,
    status: request.status,
    error_type: request.errorType,
    milliseconds: Math.round(request.milliseconds * 1000) / 1000,
  });

function textLine(request: HandledRequest, docs: string | undefined): string {
  const { method, path, status, errorType, milliseconds } = request;
  const time = new Date(request.time).toISOString().slice(11, 19);
  const result = errorType === null ? String(status) : `${status} ${errorType}`;
  const colour = status < 400 ? "green" : status < 500 ? "yellow" : "red";
  const url = docs && errorUrl(docs, errors, { status, type: errorType });
  // A path must not contain escape sequences for the terminal.
  const shown = path.slice(0, 200).replaceAll(/[^\x21-\x7e]/g, "?");
  return `${time} ${method} ${shown} ${styleText(colour, result)} ${styleText("dim", `${milliseconds.toFixed(1)} ms`)}${url ? ` ${url}` : ""}`;
}
