import { styleText } from "node:util";
import { keyId, type Seed, type SeedAccount } from "../seed/seed.ts";

/** What is said of a sandbox that has started. */
export interface Started {
  url: string;
  seed: Seed;
  /** The folder of `--data`; undefined when it is kept in memory. */
  data: string | undefined;
  /** The SMTP server that mail is handed over to, without its password; null when it stays. */
  relay: string | null;
  /** Whether control calls and pages are open. */
  control: boolean;
  /** The time of the sandbox where it is not the real one; null where it is. */
  clock: { at: number; frozen: boolean } | null;
}

const columns = 80;

/** What a person needs to begin: where, with which keys, from which domains, to which lists, and a first call. */
export function banner(started: Started): string {
  const { url, seed } = started;
  return [
    `${styleText("bold", "The sandbox is ready.")} ${styleText("dim", "Ctrl+C stops it.")}`,
    table(addressRows(started)),
    section("Keys", table(seed.accounts.flatMap(keyRows))),
    section("Domains to send from", table(domainRows(seed))),
    section("Newsletter lists", table(listRows(seed))),
    section("A first call", firstCall(url, seed)),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function addressRows({ url, data, relay, control, clock }: Started): [string, string][] {
  const closed = "off beyond this machine (--control opens it)";
  const time =
    clock && `${clock.frozen ? "stands still at" : "started at"} ${new Date(clock.at).toISOString()}`;
  const clockRow: [string, string][] = time === null ? [] : [["clock", time]];
  return [
    ["base URL", url],
    ["page", control ? `${url}/` : closed],
    ["control calls", control ? `${url}/sandbox/` : closed],
    ["kept in", data ?? "memory (--data DIR keeps it)"],
    [
      "mail",
      relay === null ? "stays in the outbox (--smtp URL hands it over)" : `is handed over to ${relay}`,
    ],
    ...clockRow,
  ];
}

const keyRows = (account: SeedAccount): [string, string][] =>
  account.keys.map((key, index) => [key.key, `${account.id}: ${key.label ?? keyId(account, index)}`]);

const domainRows = ({ accounts }: Seed): [string, string][] =>
  accounts.flatMap(({ id, domains = [] }) =>
    domains.map(({ name, state = "verified" }): [string, string] => [
      name,
      state === "verified" ? id : `${id}: ${state}`,
    ]),
  );

const listRows = ({ accounts }: Seed): [string, string][] =>
  accounts.flatMap(({ id: account, lists = [] }) =>
    lists.map(({ id, name, doubleOptIn }): [string, string] => [
      String(id),
      `${account}: ${name}${doubleOptIn ? " (asks for a confirmation)" : ""}`,
    ]),
  );

const section = (title: string, body: string): string =>
  body === "" ? "" : `${styleText("bold", title)}\n${body}`;

/** Two columns. What does not fit beside the first goes below it, and what is too long for a line is cut at its end. */
function table(rows: [string, string][]): string {
  const width = Math.min(Math.max(0, ...rows.map(([first]) => first.length)), 34);
  return rows
    .flatMap(([first, second]) => {
      const rest = shortened(second, columns - width - 4);
      if (first.length <= width) return [`  ${first.padEnd(width)}  ${rest}`];
      return [`  ${first}`, `  ${" ".repeat(width)}  ${rest}`];
    })
    .join("\n");
}

const shortened = (text: string, length: number): string =>
  text.length <= length || text.includes("://") ? text : `${text.slice(0, length - 1)}…`;

/** A call that works when it is pasted into a shell; empty where the seed has no account that can send. */
export function firstCall(url: string, seed: Seed): string {
  for (const { keys, domains = [], products = ["email"], atSendingCeiling = false } of seed.accounts) {
    if (atSendingCeiling || !products.includes("email")) continue;
    for (const key of keys) {
      const domain = domains.find(
        ({ name, state = "verified" }) =>
          state === "verified" && (key.domain ?? name).toLowerCase() === name.toLowerCase(),
      );
      const maySend =
        !key.revoked && key.stopsAt === undefined && (key.abilities?.includes("email:send") ?? true);
      if (maySend && domain !== undefined)
        return curl(url, key.key, domain.name, seed.simulatorDomain ?? "simulator.example");
    }
  }
  return "";
}

// Nothing in it can end the quotes: keys and domains of a seed are letters, digits and a few signs.
const curl = (url: string, key: string, domain: string, simulatorDomain: string): string =>
  `  curl ${url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{ "from": "hello@${domain}",
          "to": ["success@${simulatorDomain}"],
          "subject": "A first message", "text": "It works." }'`;
