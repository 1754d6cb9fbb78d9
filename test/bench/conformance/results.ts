import { readFile } from "node:fs/promises";
import { plainTable } from "../../../lib/table.ts";
import { UserError } from "../../../lib/user-error.ts";
import type { ListedServer } from "./servers.ts";

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
  versions: Partial<Record<Tool, string>>;
  outcomes: Outcome[];
}

/**
 * The results in a file; without outcomes if there is none.
 * @throws UserError if they were measured with another time for each server
 */
export async function readResults(file: string | undefined, seconds: number): Promise<Results> {
  const text = file === undefined ? undefined : await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { seconds, versions: {}, outcomes: [] };
  const results = JSON.parse(text) as Results;
  if (results.seconds === seconds) return results;
  throw new UserError(`the outcomes in ${file} were measured with --seconds ${results.seconds}`);
}

/** Whether a tool has been run on a server. */
export const isDone = (outcomes: readonly Outcome[], server: ListedServer, tool: Tool): boolean =>
  outcomes.some((one) => one.tool === tool && one.kind === server.kind && one.index === server.index);

/** What a tool is worth. */
export interface Score {
  tool: Tool;
  mutants: number;
  killed: number;
  /** Different findings on the unchanged sandbox. */
  onUnchanged: number;
  variants: number;
  /** Variants with a finding that the unchanged sandbox does not have. */
  wrongVariants: number;
  /** For each server, on average. */
  requests: number;
  seconds: number;
}

/** The score of a tool. A finding counts as new if no run on the unchanged sandbox had it. */
export function scoreOf(tool: Tool, all: readonly Outcome[]): Score {
  const own = all.filter((outcome) => outcome.tool === tool);
  const of = (kind: Outcome["kind"]): Outcome[] => own.filter((outcome) => outcome.kind === kind);
  const usual = new Set(of("unchanged").flatMap(({ findings }) => findings));
  const withNew = (outcomes: Outcome[]): number =>
    outcomes.filter(({ findings }) => findings.some((finding) => !usual.has(finding))).length;
  const mean = (numbers: number[]): number =>
    numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
  return {
    ...{ tool, mutants: of("mutant").length, killed: withNew(of("mutant")), onUnchanged: usual.size },
    ...{ variants: of("variant").length, wrongVariants: withNew(of("variant")) },
    requests: mean(own.map(({ requests }) => requests)),
    seconds: mean(own.map(({ seconds }) => seconds)),
  };
}

const names: Record<Tool, string> = {
  suite: "this suite",
  schemathesis: "Schemathesis",
  drift: "redocly drift",
  respect: "redocly respect",
};

/** The scores of all tools that were run, for a terminal of 80 columns. */
export function scoreTable({ outcomes, versions }: Results): string {
  const scores = tools.map((tool) => scoreOf(tool, outcomes)).filter(({ seconds }) => seconds > 0);
  return plainTable({
    head: ["", "killed", "unchanged", "variants", "requests", "seconds"],
    rows: scores.map((score) => [
      `${names[score.tool]} ${versions[score.tool] ?? ""}`,
      `${score.killed} of ${score.mutants}`,
      String(score.onUnchanged),
      `${score.wrongVariants} of ${score.variants}`,
      score.requests.toFixed(0),
      score.seconds.toFixed(1),
    ]),
    widths: [24, 12, 10, 10, 9, 8],
    align: ["left", "right", "right", "right", "right", "right"],
  });
}
