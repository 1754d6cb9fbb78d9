import { styleText } from "node:util";
import { firstRequest } from "../seed/first-request.ts";
import { keyId, type Seed } from "../seed/seed.ts";

export interface StartedSandbox {
  url: string;
  seed: Seed;
  /** The folder, or the URL of the database without its password; null in memory. */
  data: string | null;
  /** The URL of the SMTP server, without its password. */
  smtp: string | null;
  /** Whether the control API and the pages are enabled. */
  control: boolean;
  /** Null for the real time. */
  clock: { now: number; frozen: boolean } | null;
}

type Row = [string, string];

/** What a user needs to start: URLs, keys, domains, lists, and a first request. */
export function banner(sandbox: StartedSandbox): string {
  const { url, seed } = sandbox;
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
    table(settingRows(sandbox)),
    section("API keys", table(keys)),
    section("Sending domains", table(domains)),
    section("Newsletter lists", table(lists)),
    section("Try it", firstRequest(url, seed).replaceAll(/^(?=.)/gm, "  ")),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function settingRows({ url, data, smtp, control, clock }: StartedSandbox): Row[] {
  const disabled = "disabled on a network (enable with --control)";
  const rows: Row[] = [
    ["Base URL", url],
    ["Pages", control ? `${url}/` : disabled],
    ["Control API", control ? `${url}/sandbox/` : disabled],
    ["Data", data ?? "in memory (keep it with --data FOLDER)"],
    ["Mail", smtp === null ? "stays in the outbox (send it with --smtp URL)" : `sent to ${smtp}`],
  ];
  rows.push([
    "Clock",
    clock === null
      ? "real time (for examples of the reference: --start-at examples)"
      : `${clock.frozen ? "frozen at" : "started at"} ${new Date(clock.now).toISOString()}`,
  ]);
  return rows;
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
