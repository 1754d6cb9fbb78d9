import { count, startOf, visible } from "../../lib/text.ts";
import { atMost, brief, capitalized, duration } from "../text.ts";
import { causesSection, diagnose, type Finding } from "./causes.ts";
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
import { type ContractResult, type FailedCase, textsOf } from "./result.ts";
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
  const findings = diagnose(result);
  const causes = causesSection(findings).map(section);
  const before = [heading(result), ...causes, table(topicTable(result))];
  const after = [...sectionsOf(result).map(section), ...coverage(result)];
  const room = maxSize - Buffer.byteLength([...before, ...after].join("\n\n"));
  return `${[...before, ...failures(result, findings, room), ...after].join("\n\n")}\n`;
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

/** One failure of each check, as many as fit; that of each cause first. */
function failures(result: ContractResult, findings: readonly Finding[], room: number): string[] {
  const firsts = findings.flatMap(({ isMissing, first }) => (isMissing ? [] : [first]));
  const all = [...firsts, ...findings.flatMap(({ cases }) => cases)];
  const checks = Map.groupBy(all, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  const shown: string[] = [];
  let size = 200;
  for (const one of [...checks.values()].flatMap((own) => own.slice(0, 1))) {
    const text = failure(one, result);
    size += Buffer.byteLength(text) + 2;
    if (size > room) {
      shown.push(`And ${count(checks.size - shown.length, "more check")}: the other reports include them.`);
      break;
    }
    shown.push(text);
  }
  return shown.length === 0 ? [] : ["### Failures", ...shown];
}

function failure(failed: FailedCase, result: ContractResult): string {
  const { ids, check, title, expected, found, steps, exchanges, repeat, times } = failed;
  const texts = textsOf(result);
  const shown = exchanges.flatMap((exchange) => {
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
    fenced(`expected: ${cut(expected, maxBody)}\nfound:    ${cut(found, maxBody)}`),
    repeat && `Repeat: \`${repeat}\``,
    steps.length > 0 && fenced(stepLines(steps, maxStep).join("\n")),
    ...shown,
    times > 1 && `It fails in ${count(times - 1, "more case")}.`,
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
    return detail.length === 0 ? item : `${item}\n\n${fenced(detail.join("\n"))}\n`;
  });
  const shown = atMost(lines, severity === "information" ? maxInformation : lines.length).join("\n");
  return `<details${severity === "error" ? " open" : ""}><summary>${inHtml(title)}</summary>\n\n${shown}\n\n</details>`;
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${startOf(text, maxLength)}... (${text.length} characters)`;

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
