import { stripVTControlCharacters } from "node:util";
import { count, visible } from "../../lib/text.ts";
import { atMost, brief, duration } from "../text.ts";
import { causesSection, diagnose, type Finding } from "./causes.ts";
import {
  coverageLine,
  coverageNote,
  coverageTable,
  exitLine,
  incompleteKinds,
  levelFacts,
  missingItems,
  type ReportTable,
  scopeOf,
  topicTable,
  verdictLine,
} from "./counts.ts";
import { findingText } from "./finding-text.ts";
import { type ContractResult, headingOf, subjectOf } from "./result.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Lines: a summary is read from its top, and other reports have the rest. GitHub shows none above 1 MiB. */
const maxLines = 300;
/** Items of a list. */
const maxItems = 12;
/** Lines of what an error shows. */
const maxDetail = 10;

/** The Markdown report, for the summary of a CI run: counts, each cause of failures in a foldable section, and the table by topic. */
export function markdownReport(result: ContractResult): string {
  const findings = diagnose(result);
  const before = [heading(result), ...causesSection(findings).map(section)];
  const after = [table(topicTable(result)), ...sectionsOf(result).map(section), ...coverage(result)];
  const room = maxLines - maxItems - linesOf([...before, ...after].join("\n\n"));
  return `${[...before, ...failures(result, findings, room), ...after].join("\n\n")}\n`;
}

function heading(result: ContractResult): string {
  const { client, requests, durationMilliseconds, runId } = result;
  const facts = [
    escaped(subjectOf(result)),
    scopeOf(result),
    count(requests, "request"),
    duration(durationMilliseconds),
    `run ${escaped(runId)}`,
    ...levelFacts(result),
  ];
  return `## ${client === undefined ? "Contract" : "Client"}: ${verdictLine(result)}\n\n${facts.join(" · ")}\n\n${escaped(exitLine(result))}`;
}

function table({ head, rows }: ReportTable): string {
  const cell = (text: string, index: number): string =>
    head[index] === "Fail" && text !== "-" ? `**${text}**` : escaped(text);
  return [head, head.map((_, index) => (index === 0 ? "---" : "---:")), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function coverage({ coverage: found }: ContractResult): string[] {
  if (found === undefined) return [];
  return [
    `### ${coverageLine(found)}`,
    table(coverageTable(found)),
    ...incompleteKinds(found).map((one) => {
      const { kind, of, missing } = one;
      const labels = missingItems(one).map((label) => `- ${escaped(label)}`);
      const items = atMost(labels, 3 * maxItems).join("\n");
      return `<details><summary>${count(missing.length, "item")} not covered: ${kind}</summary>\n\nOf ${of}:\n\n${items}\n\n</details>`;
    }),
    coverageNote,
  ];
}

/** One failure of each cause, as many as fit, and the others in a line each. A missing operation is only a cause. */
function failures(result: ContractResult, findings: readonly Finding[], room: number): string[] {
  const own = findings.filter(({ missing }) => !missing);
  if (own.length === 0) return [];
  let left = room;
  const shown = own
    .map((finding) => failure(finding, result))
    .filter((text) => {
      left -= linesOf(text) + 1;
      return left >= 0;
    });
  const others = own.slice(shown.length).map(({ first, cause }) => {
    const what = cause ?? `expected ${brief(first.expected, 100)}; found ${brief(first.found, 100)}`;
    return `- ${escaped(brief(headingOf(first), 200))}: ${escaped(brief(what, 300))}`;
  });
  const list = ["Other failures, which the other reports include:", atMost(others, maxItems).join("\n")];
  return ["### Failures", ...shown, ...(others.length > 0 ? list : [])];
}

const linesOf = (text: string): number => text.split("\n").length;

/** A finding as the terminal shows it. */
function failure(finding: Finding, result: ContractResult): string {
  const { ids, check, title } = finding.first;
  const name = brief(title === "" ? check : `${check}: ${title}`, 300);
  return [
    `<details><summary><strong>${ids.map(inHtml).join(" ")}</strong> ${inHtml(name).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</summary>`,
    fenced(stripVTControlCharacters(findingText(result, finding))),
    "</details>",
  ].join("\n\n");
}

function section({ title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids = [], isFolded, most = 500, detail = [] }) => {
    const list = isFolded ? "" : ids.map(escaped).join(", ");
    if (what === "") return list;
    const item = [`- ${withCode(brief(what, most))}`, list].filter(Boolean).join(": ");
    return detail.length === 0 ? item : `${item}\n\n${fenced(atMost(detail, maxDetail, "").join("\n"))}\n`;
  });
  const shown = atMost(lines, maxItems).join("\n");
  return `<details${severity === "error" ? " open" : ""}><summary>${inHtml(title)}</summary>\n\n${shown}\n\n</details>`;
}

/** A code block whose fence is longer than any run of backticks in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${visible(text)}\n${fence}`;
}

/** Text in a line of Markdown without markup, HTML, mentions or references. */
export const escaped = (text: string): string =>
  inHtml(visible(text).replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_[\]|~]/g, (character) => `\\${character}`)
    .replaceAll(/[@#]/g, (character) => `${character}<!-- -->`);

/** The same, with what is in backticks as code unless that has something to escape. */
export const withCode = (text: string): string =>
  text.replaceAll(/`([^`]+)`|[^`]+|`/g, (part, code = "`") =>
    /[`|\\<>&\p{C}]/u.test(code) ? escaped(part) : part,
  );

const inHtml = (text: string): string =>
  visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
