import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { capitalized, markdownTable } from "../../../lib/text.ts";
import { root } from "../../../scripts/common/paths.ts";
import { generatedPart } from "../../generated-part.ts";
import { unseen } from "./independent/fault.ts";
import {
  findersOf,
  isIndependent,
  isOwn,
  isVariant,
  names,
  type Results,
  tablesOf,
  toolsIn,
} from "./results.ts";
import { populations } from "./servers.ts";

const file = join(root, "docs/comparison-of-tests.md");

/** Writes the results to the guide. */
export async function writeGuide(results: Results): Promise<void> {
  const guide = await readFile(file, "utf8");
  const part = guidePart(results, await populations(), new Date());
  await writeFile(
    file,
    guide.replace(generatedPart("npm run bench:conformance"), () => `\n${part}\n\n`),
  );
}

/** The results as Markdown: how they were measured, the tables, and each independent fault with what found it. */
export function guidePart(
  results: Results,
  populations: Record<"mutant" | "independent" | "variant", number>,
  date: Date,
): string {
  const tables = tablesOf(results).map(({ head, row }) =>
    rightAligned(
      ["Tool", ...head.slice(1).map(capitalized)],
      toolsIn(results).map((tool) => [names[tool], ...row(tool)]),
    ),
  );
  const [own = "", independent = "", correct = ""] = tables;
  return [
    measured(results, populations, date),
    `### Own mutants\n\n${own}`,
    `### Independent faults\n\n${independent}`,
    `### Correct servers\n\n${correct}`,
    `### The independent faults of the sample\n\n${listOfFaults(results)}`,
  ].join("\n\n");
}

function measured(
  { outcomes, seconds, seed, versions }: Results,
  all: Parameters<typeof guidePart>[1],
  date: Date,
): string {
  const number = (which: typeof isOwn): number =>
    new Set(outcomes.filter(which).map(({ index }) => index)).size;
  const { schemathesis, drift, respect } = versions;
  return [
    `Measured on ${date.toISOString().slice(0, 10)} with \`--seed ${seed} --seconds ${seconds}\`, Schemathesis ${schemathesis} and Redocly CLI ${drift ?? respect}:`,
    `${number(isOwn)} of ${all.mutant.toLocaleString("en")} own mutants, ${number(isIndependent)} of ${all.independent} independent faults`,
    `and ${number(isVariant)} of ${all.variant} conforming variants.`,
  ].join("\n");
}

/** A table whose columns but the first are numbers. */
function rightAligned(head: string[], rows: string[][]): string {
  const [first = "", , ...others] = markdownTable(head, rows).split("\n");
  return [first, `| --- |${" ---: |".repeat(head.length - 1)}`, ...others].join("\n");
}

function listOfFaults({ outcomes }: Results): string {
  const faults = new Map(outcomes.filter(isIndependent).map((outcome) => [outcome.index, outcome]));
  const rows = [...faults.values()].map((fault) => {
    const [requirement = "", ...title] = fault.title.split(" ");
    const finders = findersOf(fault, outcomes).map((tool) => names[tool]);
    return [capitalized(title.join(" ")), requirement, linkOf(fault.source), finders.join(", ") || "none"];
  });
  return markdownTable(["Fault", "Requirement", "Source", "Killed by"], rows);
}

const linkOf = (source: string = unseen): string => {
  const [repository, number] = source.split("#");
  return number === undefined ? "made up" : `[${source}](https://github.com/${repository}/issues/${number})`;
};
