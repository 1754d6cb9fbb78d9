import { join } from "node:path";
import { styleText } from "node:util";
import { displayPath } from "../../lib/files.ts";
import { printable } from "../../lib/print.ts";
import { capitalized, githubAnnotation, markdownTable, wrapped } from "../../lib/text.ts";
import { root } from "../common/paths.ts";
import { type Comparison, type Difference, type Verdict, verdicts } from "./comparison.ts";

export interface NamedComparison extends Comparison {
  base: string;
  revision: string;
}

/** What explains the requirements that verdicts follow from: a path from the working directory. */
const rules = `${displayPath(join(root, "docs/versioning.md"))}#rules`;

const colours = { breaking: "red", additive: "green", editorial: "dim" } as const;

/** The comparison for a terminal of 80 columns. */
export const comparisonText = (comparison: NamedComparison): string =>
  [differencesText(comparison.differences), summary(comparison)].filter(Boolean).join("\n\n");

/** Each difference with its file and line, and a link to what explains the requirements; empty without differences. */
export function differencesText(differences: readonly Difference[]): string {
  if (differences.length === 0) return "";
  const ids = [...new Set(differences.map(({ requirement }) => requirement))].sort();
  return [...differences.map(differenceText), wrapped(`${ids.join(", ")}: see ${rules}`)].join("\n\n");
}

function differenceText(difference: Difference): string {
  const { verdict, message, pointer, place, operations, requirement, encodes, advice, document } = difference;
  const where = place === undefined ? pointer : `${place.file}:${place.line}:${place.column}`;
  return [
    `${styleText("bold", where)}  ${styleText(colours[verdict], verdict)}`,
    ...[
      message,
      `at ${pointer}${document === "base" ? " of the base" : ""}`,
      ...(operations.length === 0 ? [] : [`operations: ${operations.join(", ")}`]),
      ...concernsIn(difference),
      `${encodes.length === 0 ? "requirement" : "requirements"}: ${[requirement, ...encodes].join(", ")}`,
      ...(verdict === "breaking" ? [`advice: ${advice}`] : []),
    ].map((line) => wrapped(`  ${line}`, "  ", { wholeWords: true })),
  ].join("\n");
}

const concernsIn = ({ concerns = [] }: Difference): string[] =>
  concerns.length === 0 ? [] : [`concerns the application: ${concerns.join(", ")}`];

function summary({ counts, concerning, base, revision }: NamedComparison): string {
  const total = counts.breaking + counts.additive + counts.editorial;
  if (total === 0) return wrapped(`No differences between ${base} and ${revision}.`);
  const listed = (of: Record<Verdict, number>): string =>
    verdicts.map((verdict) => `${of[verdict]} ${verdict}`).join(", ");
  const own = concerning === undefined ? "" : ` Of these, ${listed(concerning)} concern the application.`;
  return wrapped(`${base} to ${revision}: ${listed(counts)}.${own}`);
}

/** The comparison as Markdown, for a pull request. */
export function comparisonMarkdown(comparison: NamedComparison): string {
  const parts = [`## ${summary(comparison).replaceAll("\n", " ")}`];
  for (const verdict of verdicts) {
    const rows = comparison.differences.filter((one) => one.verdict === verdict);
    if (rows.length === 0) continue;
    const head = ["change", "location", "operations", "requirement", "advice"];
    parts.push(`### ${capitalized(verdict)}`, markdownTable(head, rows.map(markdownCells)));
  }
  return parts.join("\n\n");
}

function markdownCells(difference: Difference): string[] {
  const { message, pointer, place, operations, requirement, encodes, advice } = difference;
  const where = `\`${pointer}\`${place === undefined ? "" : ` (${place.file}:${place.line})`}`;
  const link = `[${requirement}](${rules})`;
  const change = [message, ...concernsIn(difference).map((text) => `**${capitalized(text)}**`)].join(" ");
  return [change, where, operations.join(", "), [link, ...encodes].join(", "), advice];
}

/** The comparison as annotations of GitHub Actions: an error for each breaking change, a notice for the others. */
export const comparisonAnnotations = (comparison: NamedComparison): string =>
  [...comparison.differences.map(annotation), printable(summary(comparison))].join("\n");

function annotation(difference: Difference): string {
  const { verdict, message, pointer, place, operations, requirement, advice } = difference;
  const level = verdict === "breaking" ? "error" : "notice";
  const at = place && { file: place.file, line: place.line, col: place.column };
  const affected = operations.length === 0 ? "" : ` Operations: ${operations.join(", ")}.`;
  const concerned = concernsIn(difference).map((one) => ` ${capitalized(one)}.`);
  const text = `${message} At ${pointer}.${affected}${concerned.join("")} ${advice} See ${rules}.`;
  return githubAnnotation(level, { ...at, title: `${verdict} (${requirement})` }, text);
}
