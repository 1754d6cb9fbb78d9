import { styleText } from "node:util";
import { wrapped } from "../../lib/wrap-text.ts";
import type { Comparison, Difference } from "./difference.ts";
import type { Verdict } from "./policy.ts";

/** A comparison with the names of what was compared. */
export interface NamedComparison extends Comparison {
  old: string;
  new: string;
}

const colours = { breaking: "red", allowed: "green", editorial: "dim" } as const;

/** The comparison for a terminal of 80 columns. */
export function comparisonText(comparison: NamedComparison, { isShort = false } = {}): string {
  const shown = comparison.differences.filter(({ verdict }) => !isShort || verdict === "breaking");
  return [...shown.map(differenceText), summary(comparison)].join("\n\n");
}

function differenceText({
  verdict,
  what,
  pointer,
  place,
  requirement,
  promises,
  instead,
  side,
}: Difference): string {
  const where = place === undefined ? pointer : `${place.file}:${place.line}:${place.column}`;
  const lines = [
    `${styleText("bold", where)}  ${styleText(colours[verdict], verdict)}`,
    wrapped(`  ${sentence(what)}`, "  ", { wholeWords: true }),
    wrapped(`  at ${pointer}${side === "old" ? " of the older document" : ""}`, "  ", { wholeWords: true }),
    wrapped(`  follows from ${[requirement, ...promises].join(", ")}`, "  ", { wholeWords: true }),
  ];
  if (verdict === "breaking") lines.push(wrapped(`  instead: ${instead}`, "  ", { wholeWords: true }));
  return lines.join("\n");
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;

/** How many differences there are of each verdict, in one line. */
export function summary({ counts, old, new: young }: NamedComparison): string {
  const total = counts.breaking + counts.allowed + counts.editorial;
  if (total === 0) return wrapped(`Nothing differs between ${old} and ${young}.`);
  return wrapped(
    `${old} to ${young}: ${counts.breaking} breaking, ${counts.allowed} allowed, ${counts.editorial} editorial.`,
  );
}

const titles: Record<Verdict, string> = {
  breaking: "Breaking",
  allowed: "Added or relaxed",
  editorial: "Editorial",
};

/** The comparison as Markdown, for a pull request. */
export function comparisonMarkdown(comparison: NamedComparison): string {
  const parts = [`## ${summary(comparison).replaceAll("\n", " ")}`];
  for (const verdict of ["breaking", "allowed", "editorial"] as const) {
    const rows = comparison.differences.filter((one) => one.verdict === verdict);
    if (rows.length === 0) continue;
    const head = ["| what | where | follows from | what to do |", "| --- | --- | --- | --- |"];
    parts.push([`### ${titles[verdict]}`, "", ...head, ...rows.map(markdownRow)].join("\n"));
  }
  return parts.join("\n\n");
}

function markdownRow({ what, pointer, place, requirement, promises, instead }: Difference): string {
  const where = `${code(pointer)}${place === undefined ? "" : ` (${place.file}:${place.line})`}`;
  const cells = [sentence(what), where, [requirement, ...promises].join(", "), instead];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join(" | ")} |`;
}

const code = (text: string): string => `\`${text}\``;

/** The comparison as annotations of GitHub Actions: an error for each breaking difference, a notice for the others. */
export function comparisonAnnotations(comparison: NamedComparison): string {
  return [...comparison.differences.map(annotation), summary(comparison)].join("\n");
}

function annotation({ verdict, what, pointer, place, requirement, instead }: Difference): string {
  const level = verdict === "breaking" ? "error" : "notice";
  const at = place === undefined ? [] : [`file=${place.file}`, `line=${place.line}`, `col=${place.column}`];
  const properties = [...at, `title=${verdict} (${requirement})`].map(escapedProperty).join(",");
  return `::${level} ${properties}::${escapedData(`${sentence(what)} At ${pointer}. ${instead}`)}`;
}

const escapedData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** The value of a property; the first `=` belongs to its name. */
function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
