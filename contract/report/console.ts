import { styleText } from "node:util";
import { plainTable } from "../../lib/table.ts";
import { count, visible, wrapped } from "../../lib/text.ts";
import { atMost, brief, duration } from "../text.ts";
import { causesSection, diagnose, type Finding } from "./causes.ts";
import {
  coverageLine,
  coverageTable,
  exitLine,
  incompleteKinds,
  isBelowThreshold,
  levelFacts,
  missingItems,
  type ReportTable,
  scopeOf,
  topicTable,
  verdictLine,
} from "./counts.ts";
import { findingInShort, findingText, maxAlso } from "./finding-text.ts";
import { type ContractResult, subjectOf } from "./result.ts";
import { baselineSection, needsSections, type Section, sectionsOf } from "./sections.ts";

/** Of a section; the other reports have all. */
const maxLines = { error: 40, warning: 40, information: 12 } as const;
/** Of each kind; the other reports have all. */
const maxMissing = 8;
/** Of more operations that lack a status, only the number is shown. */
const maxOperations = 2;
/** Requirements with a line of their own. */
const maxListed = 10;
/** Characters of a sentence, such as that of a requirement. */
const maxText = 300;

/** The result for a terminal of 80 columns. */
export function consoleText(result: ContractResult): string {
  const sections = sectionsOf(result).map(sectionText);
  // A run of no check has only reasons.
  if (result.requirements.length === 0 && result.traffic === undefined)
    return [...sections, wrapped(exitLine(result))].join("\n\n");
  const findings = diagnose(result);
  return [
    ...causesSection(findings.filter(({ missing }) => missing)).map(sectionText),
    table(topicTable(result)),
    ...failures(result, findings),
    ...sections,
    ...coverage(result),
    ...verdicts(result),
    summaryText(result),
  ].join("\n\n");
}

/** What the tests exercised, and the first of what they did not. */
function coverage({ coverage: found }: ContractResult): string[] {
  if (found === undefined) return [];
  const missing = incompleteKinds(found).map((one) =>
    wrapped(`- ${one.kind}: ${atMost(missingItems(one, maxOperations), maxMissing, "").join("; ")}`, "  "),
  );
  return [
    table(coverageTable(found)),
    ...(missing.length === 0 ? [] : [["Not covered:", ...missing].join("\n")]),
    styleText(isBelowThreshold({ coverage: found }) ? "red" : "reset", wrapped(`${coverageLine(found)}.`)),
  ];
}

export const comparisonText = (result: ContractResult): string =>
  [
    ...(result.needs === undefined ? failures(result, diagnose(result)) : []),
    ...[...baselineSection(result), ...needsSections(result)].map(sectionText),
    summaryText(result),
  ].join("\n\n");

const table = ({ head, rows }: ReportTable): string =>
  plainTable({
    head,
    rows,
    widths: head.map((title, index) => (index === 0 ? 20 : Math.max(6, title.length + 2))),
    align: head.map((_, index) => (index === 0 ? "left" : "right")),
  });

/** The requirements of a part of the checks, such as that which `--grep` selects, if they are few. */
function verdicts({ requirements }: ContractResult): string[] {
  if (requirements.length > maxListed) return [];
  const lines = requirements.map(({ id, verdict, text }) =>
    wrapped(`- ${id} ${verdict}: ${brief(text, maxText)}`, "  "),
  );
  return [["Requirements:", ...lines].join("\n")];
}

const colours = { error: "red", warning: "yellow", information: "reset" } as const;

export function sectionText({ kind, title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids = [], isFolded, most = maxText, detail = [] }) => {
    const shown = kind === "causes" ? atMost(ids, maxAlso, "") : isFolded ? [] : ids;
    const list = shown.join(", ");
    const text = brief(what, most);
    const parts = kind === "entries" || kind === "stale entries" ? [list, text] : [text, list];
    if (kind !== "errors") return wrapped(`- ${parts.filter(Boolean).join(": ")}`, "  ");
    // An error, its requirements, and what it shows.
    return [
      wrapped(`- ${text}.`, "  "),
      wrapped(`  ${count(ids.length, "requirement")}: ${list}`, "  "),
      ...detail.map((line) => wrapped(`  ${visible(line)}`, "    ")),
    ].join("\n");
  });
  return [styleText(colours[severity], wrapped(`${title}:`)), ...atMost(lines, maxLines[severity])].join(
    "\n",
  );
}

export function summaryText(result: ContractResult): string {
  const { requests, durationMilliseconds, waitedMilliseconds, exitCode } = result;
  const colour = exitCode === 1 ? "red" : exitCode === 0 ? "green" : "yellow";
  const waited = waitedMilliseconds > 0 ? `, ${duration(waitedMilliseconds)} waiting for the rate limit` : "";
  const run = `${subjectOf(result)}, ${scopeOf(result)}, ${count(requests, "request")}, ${duration(durationMilliseconds)}${waited}.`;
  const others = count(result.notTested.length, "requirement is", "requirements are");
  const levels = levelFacts(result);
  const outside =
    result.notTested.length === 0 ? "" : ` ${others} outside the run (the HTML and JSON reports say why).`;
  return [
    styleText(colour, wrapped(`${verdictLine(result)}.`)),
    wrapped(run + outside),
    ...(levels.length > 0 ? [wrapped(`Levels: ${levels.join(". ")}.`)] : []),
    wrapped(exitLine(result)),
  ].join("\n");
}

const maxInFull = 5;
const maxTitles = 40;

/** The findings without those of missing operations: the first in full, then titles. */
function failures(result: ContractResult, all: readonly Finding[]): string[] {
  const findings = all.filter(({ missing }) => !missing);
  const others = findings.slice(maxInFull).map(findingInShort);
  const isSelectable = result.traffic === undefined;
  const title = `Other failures, in full with --html report.html${isSelectable ? " or --grep and an id" : ""}:`;
  const list = others.length === 0 ? [] : [[title, ...atMost(others, maxTitles)].join("\n")];
  return [...findings.slice(0, maxInFull).map((finding) => findingText(result, finding)), ...list];
}
