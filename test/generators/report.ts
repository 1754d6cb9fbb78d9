import { plainTable } from "../../lib/table.ts";
import { commandsOf, type Generator, type Reader } from "./generator.ts";
import type { Result } from "./run.ts";

/** A generator as it was run, and how long its steps took. */
export type Row = Generator & Pick<Result, "outcome" | "seconds">;

/** A reader as it was run. */
export type ReaderRow = Reader & Pick<Result, "outcome" | "seconds">;

const columns = ["Generator", "Version", "Language", "Document", "Generates", "Compiles"];

/** How long a step took: `4 s`. */
const duration = (seconds: number | undefined, otherwise: string): string =>
  seconds === undefined ? otherwise : `${seconds} s`;

function cells({ name, version, language, document, outcome, seconds }: Row): string[] {
  const hasFailedToCompile = outcome === "failed" && seconds.generate !== undefined;
  return [
    ...[name, version, language, document],
    duration(seconds.generate, outcome),
    duration(seconds.compile, hasFailedToCompile ? outcome : "-"),
  ];
}

/** The results for a terminal of 80 columns. */
export const table = (rows: Row[]): string =>
  plainTable({ head: columns, rows: rows.map(cells), widths: [24, 7, 10, 17, 9, 8] });

/** A cell of the guide that needs no head: a phone shows none. */
const lastRun = ({ document, seconds: { generate, compile } }: Row): string =>
  `\`${document}\`: generated in ${generate} s${compile === undefined ? "" : `, compiled in ${compile} s`}`;

/** The results of readers for a terminal. */
export const readerTable = (rows: ReaderRow[]): string =>
  plainTable({
    head: ["Reader", "Version", "Reads"],
    rows: rows.map(({ name, version, outcome, seconds }) => [name, version, duration(seconds.read, outcome)]),
    widths: [24, 9, 9],
  });

const markdownRow = (texts: string[]): string => `| ${texts.join(" | ")} |`;

/** The part of the guide on the generators: the table, and the commands of each. */
export function guidePart(rows: Row[]): string {
  const table = [
    ["Generator", "Language", "Last run"],
    ["---", "---", "---"],
    ...rows.map((row) => [`${row.name} ${row.version}`, row.language, lastRun(row)]),
  ];
  const commands = rows.flatMap((row) => [
    `\n**${row.name}** ${row.note ?? ""}`.trimEnd(),
    ...["\n```sh", ...commandsOf(row), "```"],
  ]);
  return `${[...table.map(markdownRow), ...commands].join("\n")}\n`;
}
