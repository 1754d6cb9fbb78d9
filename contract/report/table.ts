import { styleText } from "node:util";
import { wrapped } from "../../lib/wrap-text.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

type Mark = RequirementVerdict | "outside the run";

const marks: Record<Mark, string> = {
  pass: "✓",
  fail: "✗",
  "expected failure": "~",
  "not verified": "?",
  error: "!",
  "outside the run": "·",
};

interface Row {
  id: string;
  topic: string;
  mark: Mark;
}

/** The verdict of every requirement, a line of at most 80 columns per topic (`idempotency    IDEM ✓ 1-9 ✗ 10`), and a legend. */
export function compactTable({ requirements, notTested }: ContractResult): string {
  const rows: Row[] = [
    ...requirements.map(({ id, topic, verdict }) => ({ id, topic, mark: verdict })),
    ...notTested.map(({ id, topic }) => ({ id, topic, mark: "outside the run" as const })),
  ];
  const topics = Object.entries(Object.groupBy(rows, ({ topic }) => topic));
  const width = Math.max(0, ...topics.map(([topic]) => topic.length)) + 2;
  const lines = topics
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([topic, own = []]) => byPrefix(own).map((text) => `${topic.padEnd(width)}${text}`))
    .map((line) => wrapped(line, " ".repeat(width)))
    .map(coloured);
  const used = (Object.keys(marks) as Mark[]).filter((mark) => rows.some((row) => row.mark === mark));
  return [...lines, "", used.map((mark) => `${marks[mark]} ${mark}`).join("   ")].join("\n");
}

/** A text for each prefix of ids: `IDEM ✓ 1-9`. */
function byPrefix(rows: readonly Row[]): string[] {
  const prefixes = Object.groupBy(rows, ({ id }) => id.slice(0, id.lastIndexOf("-")));
  return Object.entries(prefixes).map(([prefix, own = []]) => {
    const parts = (Object.keys(marks) as Mark[]).flatMap((mark) => {
      const numbers = own
        .filter((row) => row.mark === mark)
        .map(({ id }) => Number(id.slice(prefix.length + 1)));
      return numbers.length === 0 ? [] : [`${marks[mark]}${tie}${runsOf(numbers).join(", ")}`];
    });
    return `${prefix} ${parts.join("  ")}`;
  });
}

/** The numbers, consecutive ones as a range: `1-9`. */
function runsOf(numbers: number[]): string[] {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers.sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

/** Keeps a mark and its first number on one line. */
const tie = "\u00A0";

const coloured = (line: string): string =>
  line
    .replaceAll(tie, " ")
    .replaceAll(/[✗!] [\d, -]*\d/g, (run) => styleText("red", run))
    .replaceAll(/[?~] [\d, -]*\d/g, (run) => styleText("yellow", run));
