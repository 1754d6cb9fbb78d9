import { count, visible } from "../../lib/text.ts";
import { brief, capitalized, duration } from "../text.ts";
import { causesSection, type Diagnosis, diagnose } from "./causes.ts";
import {
  coverageLine,
  coverageNote,
  coverageTable,
  exitLine,
  incompleteKinds,
  missingItems,
  type ReportTable,
  scopeOf,
  topicTable,
  verdictLine,
} from "./counts.ts";
import { curlOf, errorLink, notesOf, stepLines } from "./exchange-text.ts";
import { byCheck, type ContractResult, type FailedCase, textsOf } from "./result.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Bytes; GitHub shows no summary above 1 MiB. */
const maxSize = 850_000;
const maxBody = 2000;
const maxCommand = 6000;
/** Characters of a request before the failing one. */
const maxStep = 300;
const maxInformation = 30;

/** The Markdown report, for the summary of a CI run: counts, the table by topic, and the failures in foldable sections. */
export function markdownReport(result: ContractResult): string {
  const diagnosis = diagnose(result);
  const causes = causesSection(diagnosis.findings).map(section);
  const before = [heading(result), ...causes, table(topicTable(result))];
  const after = [...sectionsOf(result).map(section), ...coverage(result)];
  const room = maxSize - Buffer.byteLength([...before, ...after].join("\n\n"));
  return `${[...before, ...failures(result, diagnosis, room), ...after].join("\n\n")}\n`;
}

function heading(result: ContractResult): string {
  const { baseUrl, client, requests, durationMilliseconds, runId } = result;
  const facts = [
    escaped(client?.name ?? baseUrl),
    scopeOf(result),
    count(requests, "request"),
    duration(durationMilliseconds),
    `run ${escaped(runId)}`,
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
      const items = missingItems(one)
        .map((label) => `- ${escaped(label)}`)
        .join("\n");
      return `<details><summary>${count(missing.length, "item")} not covered: ${kind}</summary>\n\nOf ${of}:\n\n${items}\n\n</details>`;
    }),
    coverageNote,
  ];
}

/** One failure of each check, as many as fit; those without a common cause first. */
function failures(result: ContractResult, { others, explained }: Diagnosis, room: number): string[] {
  const checks = byCheck([...others, ...explained]);
  if (checks.length === 0) return [];
  const shown: string[] = ["### Failures"];
  let size = 200;
  for (const [index, [first]] of checks.entries()) {
    const text = failure(first, result);
    size += Buffer.byteLength(text) + 2;
    if (size > room)
      return [...shown, `And ${count(checks.length - index, "more check")}: the other reports include them.`];
    shown.push(text);
  }
  return shown;
}

function failure(failed: FailedCase, result: ContractResult): string {
  const { ids, check, title, expected, found, steps, exchanges, repeat, times } = failed;
  const texts = textsOf(result);
  const shown = exchanges.flatMap((exchange) => [
    ...notesOf(exchange, result).map(
      ({ label, text }) => `${capitalized(label)}: ${escaped(cut(text, maxBody))}`,
    ),
    fenced(`${exchange.method} ${exchange.path}\n${cut(exchange.request.body ?? "", maxBody)}`.trim()),
    fenced(`${exchange.response.status}\n${cut(exchange.response.body, maxBody)}`.trim()),
    ...linked(errorLink(exchange, result)),
    ...command(curlOf(exchange, result)),
  ]);
  return [
    `<details><summary><strong>${ids.map(inHtml).join(" ")}</strong> ${inHtml(brief(check, 300))}${title === "" ? "" : `: ${inHtml(brief(title, 300))}`}</summary>`,
    ids.map((id) => `- ${escaped(id)}: ${escaped(texts.get(id) ?? "")}`).join("\n"),
    fenced(`expected: ${cut(expected, maxBody)}\nfound:    ${cut(found, maxBody)}`),
    ...(repeat === undefined ? [] : [`Repeat: \`${repeat}\``]),
    ...(steps.length === 0 ? [] : [fenced(stepLines(steps, maxStep).join("\n"))]),
    ...shown,
    ...(times > 1 ? [`It fails in ${count(times - 1, "more case")}.`] : []),
    "</details>",
  ].join("\n\n");
}

const linked = (url: string | undefined): string[] =>
  url === undefined ? [] : [`[What this error means](<${url}>)`];

/** Nothing for a request of a client. */
const command = (text: string): string[] => {
  if (text === "") return [];
  return [text.length > maxCommand ? "The curl command is long: see the HTML report." : fenced(text, "sh")];
};

function section({ title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids, detail = [] }) => {
    const list = ids.map(escaped).join(", ");
    if (what === "") return list;
    const item = `- ${withNames(escaped(brief(what, 500)))}${ids.length === 0 ? "" : `: ${list}`}`;
    return detail.length === 0 ? item : `${item}\n\n${fenced(detail.join("\n"))}\n`;
  });
  const limit = severity === "information" ? maxInformation : lines.length;
  const more = lines.length > limit ? [`- and ${lines.length - limit} more`] : [];
  const shown = [...lines.slice(0, limit), ...more].join("\n");
  return `<details${severity === "error" ? " open" : ""}><summary>${inHtml(title)}</summary>\n\n${shown}\n\n</details>`;
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}... (${text.length} characters)`;

/** A code block whose fence is longer than any run of backticks in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Text in a line of Markdown without markup, HTML, mentions or references. */
const escaped = (text: string): string =>
  inHtml(visible(text).replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_[\]|~]/g, (character) => `\\${character}`)
    .replaceAll(/[@#]/g, (character) => `${character}<!-- -->`);

/** Names and options in backticks, such as settings, as code: they contain nothing to escape. */
const withNames = (text: string): string => text.replaceAll(/\\`([\w. -]+)\\`/g, "`$1`");

const inHtml = (text: string): string =>
  visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
