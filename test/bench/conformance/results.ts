import { readFile } from "node:fs/promises";
import { plainTable } from "../../../lib/table.ts";
import { UserError } from "../../../lib/user-error.ts";
import { unseen } from "./independent/fault.ts";
import type { Kind, ListedServer } from "./servers.ts";

/** In the order of the table. `suite` is this project's. */
export const tools = ["suite", "schemathesis", "drift", "respect"] as const;
export type Tool = (typeof tools)[number];

/** What a tool reported of a server. */
export interface Outcome extends ListedServer {
  tool: Tool;
  /** Each kind of finding with the operation that it is about. */
  findings: string[];
  /** All that it sent to the API. */
  requests: number;
  seconds: number;
}

/** The outcomes of one or several runs. */
export interface Results {
  /** The time for each server. */
  seconds: number;
  /** Of the sample. */
  seed: number;
  versions: Partial<Record<Tool, string>>;
  outcomes: Outcome[];
}

/**
 * The results in a file; without outcomes if there is none.
 * @throws UserError if they were measured with another time for each server, or on another sample
 */
export async function readResults(
  file: string | undefined,
  { seconds, seed }: Pick<Results, "seconds" | "seed">,
): Promise<Results> {
  const text = file === undefined ? undefined : await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { seconds, seed, versions: {}, outcomes: [] };
  const results = JSON.parse(text) as Results;
  if (results.seconds === seconds && results.seed === seed) return results;
  throw new UserError(
    `the outcomes in ${file} were measured with --seconds ${results.seconds} --seed ${results.seed}`,
  );
}

/** Whether a tool has been run on a server. */
export const isDone = (outcomes: readonly Outcome[], server: ListedServer, tool: Tool): boolean =>
  outcomes.some((one) => one.tool === tool && one.kind === server.kind && one.index === server.index);

/** Servers in the sample, by what is said of them. */
export type Which = (outcome: Outcome) => boolean;

const isOf =
  (kind: Kind): Which =>
  (outcome) =>
    outcome.kind === kind;
export const isOwn = isOf("mutant");
export const isIndependent = isOf("independent");
export const isMadeUp: Which = (outcome) => isIndependent(outcome) && outcome.source === unseen;
export const isReported: Which = (outcome) => isIndependent(outcome) && outcome.source !== unseen;
export const isVariant = isOf("variant");

/** What a tool reported of some servers. */
export interface Score {
  servers: number;
  /** Servers with a finding that no run on the unchanged sandbox had: mutants that are killed, and false positives on variants. */
  found: number;
  /** For each server, on average. */
  requests: number;
  seconds: number;
}

/** Different findings of a tool on the unchanged sandbox. */
export const usualOf = (tool: Tool, all: readonly Outcome[]): ReadonlySet<string> =>
  new Set(all.filter((one) => one.tool === tool && one.kind === "unchanged").flatMap((one) => one.findings));

/** Whether an outcome has a finding that no run on the unchanged sandbox had. */
const isFound = ({ findings }: Outcome, usual: ReadonlySet<string>): boolean =>
  findings.some((finding) => !usual.has(finding));

/** The score of a tool on some of the servers. */
export function scoreOf(tool: Tool, all: readonly Outcome[], which: Which): Score {
  const usual = usualOf(tool, all);
  const own = all.filter((outcome) => outcome.tool === tool && which(outcome));
  const mean = (numbers: number[]): number =>
    numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
  return {
    servers: own.length,
    found: own.filter((outcome) => isFound(outcome, usual)).length,
    requests: mean(own.map(({ requests }) => requests)),
    seconds: mean(own.map(({ seconds }) => seconds)),
  };
}

/** The tools that found a server to be wrong. */
export const findersOf = ({ kind, index }: ListedServer, all: readonly Outcome[]): Tool[] =>
  tools.filter((tool) =>
    all.some(
      (one) =>
        one.tool === tool && one.kind === kind && one.index === index && isFound(one, usualOf(tool, all)),
    ),
  );

/** The tools that were run, in the order of the tables. */
export const toolsIn = ({ outcomes }: Results): Tool[] =>
  tools.filter((name) => outcomes.some(({ tool }) => tool === name));

export const names: Record<Tool, string> = {
  suite: "this suite",
  schemathesis: "Schemathesis",
  drift: "redocly drift",
  respect: "redocly respect",
};

const share = ({ found, servers }: Score): string => `${found} of ${servers}`;
const effortOf = ({ requests, seconds }: Score): [requests: string, seconds: string] => [
  Math.round(requests).toLocaleString("en"),
  seconds.toFixed(1),
];

/** A table with a row for each tool. */
export interface ToolTable {
  head: [title: string, ...columns: string[]];
  row(tool: Tool): string[];
}

/** The tables of the scores: on this project's own mutants, on independent faults, and on correct servers. */
export function tablesOf({ outcomes }: Results): ToolTable[] {
  const score = (tool: Tool, which: Which): Score => scoreOf(tool, outcomes, which);
  return [
    {
      head: ["own mutants", "killed", "requests", "seconds"],
      row: (tool) => [share(score(tool, isOwn)), ...effortOf(score(tool, isOwn))],
    },
    {
      head: ["independent faults", "killed", "made up", "reported", "requests", "seconds"],
      row: (tool) => [
        ...[isIndependent, isMadeUp, isReported].map((which) => share(score(tool, which))),
        ...effortOf(score(tool, isIndependent)),
      ],
    },
    {
      head: ["false positives", "unchanged", "variants"],
      row: (tool) => [String(usualOf(tool, outcomes).size), share(score(tool, isVariant))],
    },
  ];
}

/** The tables for a terminal of 80 columns. */
export const scoreTables = (results: Results): string =>
  tablesOf(results)
    .map(({ head: [title, ...columns], row }) =>
      plainTable({
        head: [title, ...columns],
        rows: toolsIn(results).map((tool) => [
          `${names[tool]} ${results.versions[tool] ?? ""}`,
          ...row(tool),
        ]),
        widths: [24, ...columns.map(() => 10)],
        align: ["left", ...columns.map(() => "right" as const)],
      }),
    )
    .join("\n\n");
