import { styleText } from "node:util";
import { errors } from "../../generated/errors.ts";
import { printJson, printLine, printNotice } from "../../lib/print.ts";
import { errorUrl, wrapped } from "../../lib/text.ts";
import { UserError } from "../../lib/user-error.ts";
import type { HandledRequest } from "../api/context.ts";
import { StoreUnavailableError } from "../domain/store.ts";
import type { Sandbox } from "../index.ts";
import { firstRequest, keyId, type Seed } from "../seed/seed.ts";

export type LogFormat = "text" | "json";

/**
 * What the command prints while it runs. In JSON everything is a line with an `event` on standard output; in text, warnings and errors are on
 * standard error.
 * @param docs the URL of the reference site that errors are linked to in text
 */
export const createReport = (format: LogFormat = "text", docs?: string) =>
  format === "json"
    ? json
    : { ...text, request: (request: HandledRequest) => printLine(textLine(request, docs)) };

const printEvent = (event: string, fields: object = {}): void =>
  printJson(JSON.stringify({ time: new Date().toISOString(), event, ...fields }));

const json = {
  /**
   * @param data the folder, or the URL of the database without its password; null in memory
   * @param _text what to print in text
   */
  ready: (url: string, data: string | null, _text: () => string) =>
    printEvent("ready", { url, ...(data !== null && { data }) }),
  request: (request: HandledRequest) => printJson(jsonLine(request)),
  warn: (message: string) => printEvent("warning", { message }),
  error: ({ message, stack }: LoggedError) => printEvent("error", { message, stack }),
  stopped: () => printEvent("stopped"),
  /** A start that failed. @returns whether it is reported; otherwise the caller does it */
  failed({ message, hint }: UserError): boolean {
    printEvent("error", { message, hint });
    return true;
  },
};

const text: Omit<typeof json, "request"> = {
  ready: (_url, _data, render) => printLine(render()),
  warn(message) {
    const label = "warning:";
    const lines = wrapped(`${label} ${message}`, " ".repeat(label.length + 1), { wholeWords: true });
    printNotice(lines.replace(label, styleText("yellow", label, { stream: process.stderr })));
  },
  error: ({ message, stack }) =>
    printNotice(stack ?? `${styleText("red", "error:", { stream: process.stderr })} ${message}`),
  stopped() {},
  failed: () => false,
};

type StartedSandbox = Pick<Sandbox, "url" | "data" | "smtp"> & {
  clock: Pick<Sandbox["clock"], "now" | "frozen">;
};

type Row = [string, string];

/**
 * What a user needs to start: URLs, keys, domains, lists, and a first request.
 * @param control whether the control API and the pages are enabled
 */
export function banner(sandbox: StartedSandbox, seed: Seed, control: boolean): string {
  const { accounts } = seed;
  const keys = accounts.flatMap((account) =>
    account.keys.map(
      ({ key, label }, index): Row => [key, `${account.id}: ${label ?? keyId(account, index)}`],
    ),
  );
  const domains = accounts.flatMap(({ id, domains = [] }) =>
    domains.map(({ name, state }): Row => [name, id + (state && state !== "verified" ? `: ${state}` : "")]),
  );
  const lists = accounts.flatMap(({ id: account, lists = [] }) =>
    lists.map(
      ({ id, name, doubleOptIn }): Row => [
        String(id),
        `${account}: ${name}${doubleOptIn ? " (double opt-in)" : ""}`,
      ],
    ),
  );
  return [
    `${styleText("bold", "The sandbox is ready.")} ${styleText("dim", "Press Ctrl+C to stop it.")}`,
    table(settingRows(sandbox, control)),
    section("API keys", table(keys)),
    section("Sending domains", table(domains)),
    section("Newsletter lists", table(lists)),
    section("Try it", firstRequest(sandbox.url, seed).replaceAll(/^(?=.)/gm, "  ")),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function settingRows({ url, data, smtp, clock }: StartedSandbox, control: boolean): Row[] {
  const disabled = "disabled on a network (enable with --control)";
  const now = clock.now();
  const isRealTime = !clock.frozen && Math.abs(now - Date.now()) < 1000;
  const time = isRealTime
    ? "real time (for examples of the reference: --start-at examples)"
    : `${clock.frozen ? "frozen at" : "started at"} ${new Date(now).toISOString()}`;
  return [
    ["Base URL", url],
    ["Pages", control ? `${url}/` : disabled],
    ["Control API", control ? `${url}/sandbox/` : disabled],
    ["Data", data ?? "in memory (keep it with --data FOLDER)"],
    ["Mail", smtp === null ? "stays in the outbox (send it with --smtp URL)" : `sent to ${smtp}`],
    ["Clock", time],
  ];
}

const section = (title: string, body: string): string =>
  body === "" ? "" : `${styleText("bold", title)}\n${body}`;

/** Two columns in 80 characters. Next to a long first cell, the second moves to the next line; a long second cell is truncated. */
function table(rows: Row[]): string {
  const width = Math.min(Math.max(0, ...rows.map(([first]) => first.length)), 34);
  const room = 80 - width - 4;
  const lines = rows.flatMap(([first, second]) => {
    const cell = second.length <= room || second.includes("://") ? second : `${second.slice(0, room - 1)}…`;
    return first.length <= width
      ? [`  ${first.padEnd(width)}  ${cell}`]
      : [`  ${first}`, `  ${" ".repeat(width)}  ${cell}`];
  });
  return lines.join("\n");
}

/** The log line of a request, without query, body and key. */
export const jsonLine = (request: HandledRequest): string =>
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

/** The same as text. */
export function textLine(request: HandledRequest, docs?: string): string {
  const { method, path, status, errorType, milliseconds } = request;
  const time = new Date(request.time).toISOString().slice(11, 19);
  const result = errorType === null ? String(status) : `${status} ${errorType}`;
  const colour = status < 400 ? "green" : status < 500 ? "yellow" : "red";
  const url = docs && errorUrl(docs, errors, { status, type: errorType });
  // A path must not contain escape sequences for the terminal.
  const shown = path.slice(0, 200).replaceAll(/[^\x21-\x7e]/g, "?");
  return `${time} ${method} ${shown} ${styleText(colour, result)} ${styleText("dim", `${milliseconds.toFixed(1)} ms`)}${url ? ` ${url}` : ""}`;
}

/** How long the same error is not logged again, in milliseconds. */
const repeatTime = 60_000;

/** The most errors that are remembered. */
const most = 100;

/** An error of the sandbox itself. Only a bug has a stack. */
export interface LoggedError {
  message: string;
  stack?: string | undefined;
}

/**
 * Creates the log of the sandbox's own errors. The same error is logged once a minute: a store that cannot write fails every request. So does a
 * database that cannot be reached, in several ways.
 * @param now the time in milliseconds
 */
export function createErrorLog(
  print: (error: LoggedError) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const logged = describe(error);
    const key = error instanceof StoreUnavailableError ? error.name : (logged.stack ?? logged.message);
    if (now() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < repeatTime) return;
    if (loggedAt.size >= most) loggedAt.clear();
    loggedAt.set(key, now());
    print(logged);
  };
}

function describe(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  if (error instanceof StoreUnavailableError)
    return { message: `the store failed: ${error.reason}; requests that need it get 503` };
  return error instanceof UserError ? { message } : { message, stack };
}
