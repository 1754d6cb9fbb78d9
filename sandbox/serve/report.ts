import { styleText } from "node:util";
import { wrapped } from "../../lib/text.ts";
import type { UserError } from "../../lib/user-error.ts";
import type { HandledRequest } from "../api/context.ts";
import type { LoggedError } from "./error-log.ts";
import { requestLine } from "./log.ts";

export type LogFormat = "text" | "json";

/** What the command prints while it runs. */
export interface Report {
  /**
   * @param data the folder, or the URL of the database without its password; null in memory
   * @param text what to print in text
   */
  ready(url: string, data: string | null, text: () => string): void;
  request(request: HandledRequest): void;
  warn(message: string): void;
  error(error: LoggedError): void;
  stopped(): void;
  /** A start that failed. @returns whether it is reported; otherwise the caller does it */
  failed(error: UserError): boolean;
}

/**
 * In JSON everything is a line with an `event` on standard output; in text, warnings and errors are on standard error.
 *
 * @param docs the URL of the reference site that errors are linked to in text
 */
export const createReport = (format: LogFormat = "text", docs?: string): Report =>
  format === "json"
    ? json
    : { ...text, request: (request) => console.log(requestLine(request, "text", docs)) };

const printEvent = (event: string, fields: object = {}): void =>
  console.log(JSON.stringify({ time: new Date().toISOString(), event, ...fields }));

const json: Report = {
  ready: (url, data) => printEvent("ready", { url, ...(data !== null && { data }) }),
  request: (request) => console.log(requestLine(request, "json")),
  warn: (message) => printEvent("warning", { message }),
  error: ({ message, stack }) => printEvent("error", { message, stack }),
  stopped: () => printEvent("stopped"),
  failed({ message, hint }) {
    printEvent("error", { message, hint });
    return true;
  },
};

const text: Omit<Report, "request"> = {
  ready: (_url, _data, render) => console.log(render()),
  warn(message) {
    const label = "warning:";
    const lines = wrapped(`${label} ${message}`, " ".repeat(label.length + 1), { wholeWords: true });
    console.error(lines.replace(label, styleText("yellow", label, { stream: process.stderr })));
  },
  error: ({ message, stack }) =>
    console.error(stack ?? `${styleText("red", "error:", { stream: process.stderr })} ${message}`),
  stopped() {},
  failed: () => false,
};
