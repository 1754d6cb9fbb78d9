import { causeLine, type Findings, findingsIn } from "./causes.ts";
import { curlOf } from "./curl.ts";
import {
  type Broken,
  brief,
  byLaw,
  counted,
  duration,
  errorsIn,
  exitMeaning,
  type Group,
  missingIn,
  textsOf,
  verdictLine,
  visible,
} from "./reading.ts";
import type { ContractResult } from "./result.ts";

/** GitHub shows no summary above 1 MiB; this is well below, in bytes. */
const largest = 850_000;
const longestBody = 2000;
const longestCommand = 6000;
const mostInformation = 30;

/** The report in Markdown, for the summary of a CI run: counts, the table by topic, and what is broken, to unfold. */
export function markdownReport(result: ContractResult): string {
  const findings = findingsIn(result);
  const before = [heading(result), ...causes(findings), topics(result)];
  const after = [
    ...ids("Failed as expected", idsWith(result, "expected failure")),
    ...ids("Expected to fail, and held: take them out of the expected failures", result.stale),
    ...groups("Not verified", missingIn(result)),
    ...groups("Errors, so that nothing can be said", errorsIn(result)),
    ...information(result),
  ];
  const room = largest - Buffer.byteLength([...before, ...after].join("\n\n"));
  return `${[...before, ...failures(result, findings, room), ...after].join("\n\n")}\n`;
}

function heading(result: ContractResult): string {
  const { baseUrl, profile, requests, durationMilliseconds, runId, exitCode } = result;
  const facts = [
    escaped(baseUrl),
    `profile ${profile}`,
    counted(requests, "request"),
    duration(durationMilliseconds),
    `run ${escaped(runId)}`,
  ];
  return `## Contract: ${verdictLine(result)}

${facts.join(" · ")}

Exit status ${exitCode}: ${exitMeaning(result)}.`;
}

function topics({ byTopic, counts }: ContractResult): string {
  const withExpected = counts.expectedFailure > 0;
  const row = (cells: (string | number)[]): string => `| ${cells.join(" | ")} |`;
  const columns = [
    "Held",
    "Failed",
    ...(withExpected ? ["Failed as expected"] : []),
    "Not verified",
    "Error",
  ];
  return [
    row(["Topic", ...columns]),
    row(["---", ...columns.map(() => "---:")]),
    ...byTopic.map(({ topic, pass, fail, expectedFailure, notVerified, error }) =>
      row([
        escaped(topic),
        pass,
        fail === 0 ? 0 : `**${fail}**`,
        ...(withExpected ? [expectedFailure] : []),
        notVerified,
        error,
      ]),
    ),
  ].join("\n");
}

/** What many promises fall with. */
function causes({ diagnosis, causes: found }: Findings): string[] {
  const lines = found.map((cause) => `- ${escaped(causeLine(cause))}: ${cause.ids.map(escaped).join(", ")}`);
  return [
    ...(diagnosis === undefined ? [] : [`**${escaped(diagnosis)}**`]),
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
  ];
}

/** As many failures as there is room for, one of each law; first what fell with none of the causes. */
function failures(result: ContractResult, { others, explained }: Findings, room: number): string[] {
  const laws = byLaw([...others, ...explained]);
  if (laws.length === 0) return [];
  const shown: string[] = ["### Broken"];
  let size = 200;
  for (const [index, [first]] of laws.entries()) {
    const text = failure(first, result);
    size += Buffer.byteLength(text) + 2;
    if (size > room) return [...shown, `And ${laws.length - index} more laws: the other reports have them.`];
    shown.push(text);
  }
  return shown;
}

function failure(one: Broken, result: ContractResult): string {
  const { ids: own, law, title, expected, found, exchange, times } = one;
  const texts = textsOf(result);
  const more = times > 1 ? [`It fails in ${counted(times - 1, "more case")}.`] : [];
  const shown =
    exchange === undefined
      ? []
      : [
          fenced(`${exchange.method} ${exchange.path}\n${cut(exchange.sent.body ?? "", longestBody)}`.trim()),
          fenced(`${exchange.received.status}\n${cut(exchange.received.body, longestBody)}`.trim()),
          ...command(curlOf(exchange, result)),
        ];
  return [
    `<details><summary><strong>${own.map(inHtml).join(" ")}</strong> ${inHtml(brief(law, 300))}${title === "" ? "" : `: ${inHtml(brief(title, 300))}`}</summary>`,
    own.map((id) => `- ${escaped(id)}: ${escaped(texts.get(id) ?? "")}`).join("\n"),
    fenced(`expected: ${cut(expected, longestBody)}\nfound:    ${cut(found, longestBody)}`),
    ...shown,
    ...more,
    "</details>",
  ].join("\n\n");
}

const command = (text: string): string[] =>
  text.length > longestCommand
    ? ["The command that repeats it is long: it stands in the report in HTML."]
    : [fenced(text, "sh")];

const groups = (title: string, given: readonly Group[]): string[] =>
  given.length === 0
    ? []
    : [
        folded(
          title,
          given.map(({ what, ids: own }) => `- ${escaped(brief(what, 500))}: ${own.map(escaped).join(", ")}`),
        ),
      ];

const ids = (title: string, given: readonly string[]): string[] =>
  given.length === 0 ? [] : [folded(title, [given.map(escaped).join(", ")])];

const idsWith = ({ requirements }: ContractResult, verdict: string): string[] =>
  requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);

function information({ information: given }: ContractResult): string[] {
  if (given.length === 0) return [];
  const more = given.length - mostInformation;
  return [
    folded("Beyond the document, which is allowed", [
      ...given.slice(0, mostInformation).map((text) => `- ${escaped(brief(text, 300))}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
    ]),
  ];
}

const folded = (title: string, lines: readonly string[]): string =>
  `<details><summary>${inHtml(title)}</summary>\n\n${lines.join("\n")}\n\n</details>`;

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}... (${text.length} characters)`;

/** A block of code with a fence that nothing in it can close. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Text in a line of Markdown that is nothing but text: no markup, no HTML, no mention of anybody. */
const escaped = (text: string): string =>
  inHtml(visible(text).replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_[\]|~]/g, (letter) => `\\${letter}`)
    .replaceAll(/[@#]/g, (letter) => `${letter}<!-- -->`);

const inHtml = (text: string): string =>
  visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
