import { count, startOf, visible } from "../../lib/text.ts";
import { atMost, brief, capitalized, duration, inShort } from "../text.ts";
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
import { curlOf, errorLink, notesOf, stepLines } from "./exchange-text.ts";
import { type ContractResult, headingOf, subjectOf, textsOf } from "./result.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Lines: a summary is read from its top, and other reports have the rest. GitHub shows none above 1 MiB. */
const maxLines = 300;
/** Items of a list. */
const maxItems = 12;
const maxBody = 2000;
/** Lines of a body. */
const maxBodyLines = 20;
/** Requests of a failure in full, and those before them in a line each. */
const maxExchanges = 3;
const maxSteps = 10;
/** Other checks with the same cause. */
const maxAlso = 3;
const maxCommand = 6000;
/** Characters of a request before the failing one. */
const maxStep = 300;

/** The Markdown report, for the summary of a CI run: counts, the table by topic, and each cause of failures in a foldable section. */
export function markdownReport(result: ContractResult): string {
  const findings = diagnose(result);
  const causes = causesSection(findings).map(section);
  const before = [heading(result), ...causes, table(topicTable(result))];
  const after = [...sectionsOf(result).map(section), ...coverage(result)];
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
  const line = head.map((_, index) => (index === 0 ? "---" : "---:"));
  const cell = (text: string, index: number): string =>
    head[index] === "Fail" && text !== "-" ? `**${text}**` : escaped(text);
  return [head, line, ...rows.map((row) => row.map(cell))]
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

function failure({ cause, first, cases }: Finding, result: ContractResult): string {
  const { ids, check, title, expected, found, exchanges, repeat, times } = first;
  const texts = textsOf(result);
  const steps = stepLines([...first.steps, ...exchanges.slice(0, -maxExchanges)], maxStep);
  const earlier = steps.length - maxSteps;
  const others = new Set(
    cases.flatMap((one) => (one.check === check ? [] : [brief(headingOf({ ...one, title: "" }), 150)])),
  );
  const shown = exchanges.slice(-maxExchanges).flatMap((exchange) => {
    const { method, path, request, response } = exchange;
    const docs = errorLink(exchange, result);
    const curl = curlOf(exchange, result);
    return [
      ...notesOf(exchange, result).map(
        ({ label, text }) => `${capitalized(label)}: ${escaped(cut(text, maxBody))}`,
      ),
      fenced(`${method} ${path}\n${cut(request.body ?? "", maxBody)}`.trim()),
      fenced(`${response.status}\n${cut(response.body, maxBody)}`.trim()),
      docs && `[What this error means](<${docs}>)`,
      curl.length > maxCommand
        ? "The curl command is long: see the HTML report."
        : curl && fenced(curl, "sh"),
    ];
  });
  return [
    `<details><summary><strong>${ids.map(inHtml).join(" ")}</strong> ${inHtml(brief(check, 300))}${title === "" ? "" : `: ${inHtml(brief(title, 300))}`}</summary>`,
    ids.map((id) => `- ${escaped(id)}: ${escaped(texts.get(id) ?? "")}`).join("\n"),
    cause && `Cause: ${escaped(brief(cause, 300))}`,
    fenced(`expected: ${cut(expected, maxBody)}\nfound:    ${cut(found, maxBody)}`),
    repeat && `Repeat: \`${repeat}\``,
    earlier > 0 && `After ${count(earlier, "other request")}:`,
    steps.length > 0 && fenced(steps.slice(-maxSteps).join("\n")),
    ...shown,
    times > 1 && `It fails in ${count(times - 1, "more case")}.`,
    others.size > 0 && `Also fails: ${escaped(inShort([...others], maxAlso))}.`,
    "</details>",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function section({ title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids = [], isFolded, detail = [] }) => {
    const list = isFolded ? "" : ids.map(escaped).join(", ");
    if (what === "") return list;
    const item = [`- ${withNames(escaped(brief(what, 500)))}`, list].filter(Boolean).join(": ");
    return detail.length === 0 ? item : `${item}\n\n${fenced(atMost(detail, maxSteps, "").join("\n"))}\n`;
  });
  const shown = atMost(lines, maxItems).join("\n");
  return `<details${severity === "error" ? " open" : ""}><summary>${inHtml(title)}</summary>\n\n${shown}\n\n</details>`;
}

function cut(text: string, maxLength: number): string {
  const start = startOf(text, maxLength).split("\n").slice(0, maxBodyLines).join("\n");
  return start.length === text.length ? text : `${start}... (${text.length} characters)`;
}

/** A code block whose fence is longer than any run of backticks in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Text in a line of Markdown without markup, HTML, mentions or references. */
export const escaped = (text: string): string =>
  inHtml(visible(text).replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_[\]|~]/g, (character) => `\\${character}`)
    .replaceAll(/[@#]/g, (character) => `${character}<!-- -->`);

/** Names and options in backticks, such as settings, as code: they contain nothing to escape. */
const withNames = (text: string): string => text.replaceAll(/\\`([\w. -]+)\\`/g, "`$1`");

const inHtml = (text: string): string =>
  visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
