import { styleText } from "node:util";
import { plainTable } from "../../lib/table.ts";
import { count, wrapped } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { atMost, brief, duration, visible } from "../text.ts";
import { type Diagnosis, diagnose } from "./causes.ts";
import {
  checkedMessage,
  coverageColumns,
  coverageLine,
  coverageRows,
  exitLine,
  incompleteKinds,
  isBelowThreshold,
  missingItems,
  scopeOf,
  topicColumns,
  verdictLine,
} from "./counts.ts";
import { curlOf, errorLink, notesOf, statusText } from "./exchange-text.ts";
import {
  byCheck,
  type ContractResult,
  type FailedCheck,
  type RequirementVerdict,
  textsOf,
} from "./result.ts";
import { baselineSection, type Group, type Section, sectionsOf } from "./sections.ts";

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
  const diagnosis = diagnose(result);
  return [
    ...causes(diagnosis),
    topics(result),
    ...failures(result, diagnosis),
    ...sectionsOf(result).map(section),
    ...coverage(result),
    ...verdicts(result),
    summary(result),
  ].join("\n\n");
}

/** What the tests exercised, and the first of what they did not. */
function coverage({ coverage: found }: ContractResult): string[] {
  if (found === undefined) return [];
  const rows = coverageRows(found);
  const missing = incompleteKinds(found).map((one) =>
    wrapped(`- ${one.kind}: ${atMost(missingItems(one, maxOperations), maxMissing, "").join("; ")}`, "  "),
  );
  return [
    plainTable({
      head: coverageColumns,
      widths: [20, 9, 6, 10],
      align: ["left", "right", "right", "right"],
      rows,
    }),
    ...(missing.length === 0 ? [] : [["Not covered:", ...missing].join("\n")]),
    styleText(isBelowThreshold({ coverage: found }) ? "red" : "reset", wrapped(`${coverageLine(found)}.`)),
  ];
}

/** The comparison of a result with its baseline. */
export const comparisonText = (result: ContractResult): string =>
  [...failures(result, diagnose(result)), ...baselineSection(result).map(section), summary(result)].join(
    "\n\n",
  );

function topics(result: ContractResult): string {
  const columns = topicColumns(result);
  return plainTable({
    head: ["Topic", ...columns.map(({ title }) => title)],
    widths: [20, ...columns.map(({ title }) => Math.max(6, title.length + 2))],
    align: ["left", ...columns.map(() => "right" as const)],
    rows: result.byTopic.map((row) => [row.topic, ...columns.map(({ of }) => String(row[of] || "-"))]),
  });
}

/** The requirements of few checks, such as those that `--grep` selects: in the table, those of every response outnumber them. */
function verdicts(result: ContractResult): string[] {
  const { checks, requirements } = result;
  const ids = new Set(checks.flatMap((check) => check.ids));
  const own = requirements.filter(({ id }) => ids.has(id));
  if (own.length === 0 || own.length > maxListed) return [];
  const lines = own.map(({ id, verdict, text }) =>
    wrapped(`- ${id} ${verdict}: ${brief(text, maxText)}`, "  "),
  );
  const others =
    own.length < requirements.length ? `; the others apply to every ${checkedMessage(result)}` : "";
  return [[`Requirements of these checks${others}:`, ...lines].join("\n")];
}

const colours = { error: "red", warning: "yellow", information: "reset" } as const;

function section({ title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids, detail }) => {
    if (what === "") return wrapped(`  ${ids.join(", ")}`, "  ");
    if (title === "Errors") return errorLines({ what, ids, detail: detail ?? [] });
    return wrapped(`- ${brief(what, maxText)}${ids.length === 0 ? "" : `: ${ids.join(", ")}`}`, "  ");
  });
  return [styleText(colours[severity], wrapped(`${title}:`)), ...atMost(lines, maxLines[severity])].join(
    "\n",
  );
}

/** An error, its requirements, and what it shows. */
const errorLines = ({ what, ids, detail }: Required<Pick<Group, "what" | "ids" | "detail">>): string =>
  [
    wrapped(`- ${brief(what, maxText)}.`, "  "),
    wrapped(`  ${count(ids.length, "requirement")}: ${ids.join(", ")}`, "  "),
    ...detail.map((line) => wrapped(`  ${visible(line)}`, "    ")),
  ].join("\n");

function summary(result: ContractResult): string {
  const { baseUrl, client, requests, durationMilliseconds, waitedMilliseconds, exitCode } = result;
  const colour = exitCode === 1 ? "red" : exitCode === 0 ? "green" : "yellow";
  const waited = waitedMilliseconds > 0 ? `, ${duration(waitedMilliseconds)} waiting for the rate limit` : "";
  const run = `${client?.name ?? baseUrl}, ${scopeOf(result)}, ${count(requests, "request")}, ${duration(durationMilliseconds)}${waited}.`;
  const others = result.notTested.length;
  const outside =
    others === 0
      ? ""
      : ` ${count(others, "requirement is", "requirements are")} outside the run (the HTML and JSON reports say why).`;
  return [
    styleText(colour, wrapped(`${verdictLine(result)}.`)),
    wrapped(run + outside),
    wrapped(exitLine(result)),
  ].join("\n");
}

const maxInFull = 5;
const maxTitles = 40;
/** Characters of a body. */
const maxBody = 320;
/** A longer command is in the HTML report only. */
const maxCommand = 1600;

/** What explains many failures at once. */
const causes = ({ wholeServer, causes: found }: Diagnosis): string[] => [
  ...(wholeServer === undefined ? [] : [styleText("red", wrapped(visible(wholeServer)))]),
  ...found.map(({ what, ids }) =>
    [styleText("red", wrapped(`${what}:`)), wrapped(`  ${ids.join(", ")}`, "  ")].join("\n"),
  ),
];

/** The other failures: the first in full, then titles. */
function failures(result: ContractResult, { others }: Diagnosis): string[] {
  const checks = byCheck(others);
  const titles = checks
    .slice(maxInFull)
    .map((check) => wrapped(`- ${heading(check)}${moreCases(check, " (and ", ")")}`, "  "));
  return [
    ...checks.slice(0, maxInFull).map((check) => failure(result, check)),
    ...(titles.length === 0 ? [] : [[otherFailures(result), ...atMost(titles, maxTitles)].join("\n")]),
  ];
}

const otherFailures = ({ traffic }: ContractResult): string =>
  `Other failures, in full with --html report.html${traffic === undefined ? " or --grep and an id" : ""}:`;

function failure(result: ContractResult, check: FailedCheck): string {
  const [{ ids, expected, found, exchanges, repeat }] = check;
  const texts = textsOf(result);
  const more = moreCases(check, "  It fails in ", ".");
  return [
    styleText("red", wrapped(heading(check), "  ")),
    ...ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", expected),
    labelled("found", found),
    // Not wrapped, so that it can be copied.
    ...(repeat === undefined ? [] : [labelled("repeat", "with the options for the server:"), `  ${repeat}`]),
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, result)),
    ...(more === "" ? [] : [wrapped(more, "  ")]),
  ].join("\n");
}

/** The lines of the command are not wrapped, so that it can be copied. */
function exchangeLines(exchange: RecordedExchange, result: ContractResult): string[] {
  const { method, path, request, response } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= maxCommand;
  const docs = errorLink(exchange, result);
  const hasBody = command === "" || !fits;
  return [
    ...notesOf(exchange, result).map(({ label, text }) => labelled(label, text)),
    labelled("request", `${method} ${path} ${hasBody ? brief(request.body ?? "", maxBody) : ""}`),
    labelled("response", `${statusText(exchange)} ${brief(response.body, maxBody)}`),
    // Not wrapped, so that a terminal makes it a link.
    ...(docs === undefined ? [] : [`  docs      ${docs}`]),
    ...(command === ""
      ? []
      : fits
        ? command.split("\n").map((line) => `  ${styleText("dim", line)}`)
        : ["  The curl command is long: see the HTML report."]),
  ];
}

const moreCases = ([{ times }]: FailedCheck, before: string, after: string): string =>
  times === 1 ? "" : `${before}${count(times - 1, "more case")}${after}`;

const heading = ([{ ids, check, title }]: FailedCheck): string =>
  visible(`${ids.join(" ")} ${check}${title === "" ? "" : `: ${title}`}`);

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * maxBody)}`.trimEnd(), " ".repeat(12));

type Mark = RequirementVerdict | "outside the run";

const marks: Record<Mark, string> = {
  pass: "✓",
  fail: "✗",
  "expected failure": "~",
  "not verified": "?",
  error: "!",
  "outside the run": "·",
};

interface Row {
  id: string;
  topic: string;
  mark: Mark;
}

/** The verdict of every requirement, a line of at most 80 columns per topic (`idempotency    IDEM ✓ 1-9 ✗ 10`), and a legend. */
export function compactTable({ requirements, notTested }: ContractResult): string {
  const rows: Row[] = [
    ...requirements.map(({ id, topic, verdict }) => ({ id, topic, mark: verdict })),
    ...notTested.map(({ id, topic }) => ({ id, topic, mark: "outside the run" as const })),
  ];
  const topics = Object.entries(Object.groupBy(rows, ({ topic }) => topic));
  const width = Math.max(0, ...topics.map(([topic]) => topic.length)) + 2;
  const lines = topics
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([topic, own = []]) => byPrefix(own).map((text) => `${topic.padEnd(width)}${text}`))
    .map((line) => wrapped(line, " ".repeat(width)))
    .map(coloured);
  const used = (Object.keys(marks) as Mark[]).filter((mark) => rows.some((row) => row.mark === mark));
  return [...lines, "", used.map((mark) => `${marks[mark]} ${mark}`).join("   ")].join("\n");
}

/** A text for each prefix of ids: `IDEM ✓ 1-9`. */
function byPrefix(rows: readonly Row[]): string[] {
  const prefixes = Object.groupBy(rows, ({ id }) => id.slice(0, id.lastIndexOf("-")));
  return Object.entries(prefixes).map(([prefix, own = []]) => {
    const parts = (Object.keys(marks) as Mark[]).flatMap((mark) => {
      const numbers = own
        .filter((row) => row.mark === mark)
        .map(({ id }) => Number(id.slice(prefix.length + 1)));
      return numbers.length === 0 ? [] : [`${marks[mark]}${tie}${runsOf(numbers).join(", ")}`];
    });
    return `${prefix} ${parts.join("  ")}`;
  });
}

/** The numbers, consecutive ones as a range: `1-9`. */
function runsOf(numbers: number[]): string[] {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers.sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

/** Keeps a mark and its first number on one line. */
const tie = "\u00A0";

const coloured = (line: string): string =>
  line
    .replaceAll(tie, " ")
    .replaceAll(/[✗!] [\d, -]*\d/g, (run) => styleText("red", run))
    .replaceAll(/[?~] [\d, -]*\d/g, (run) => styleText("yellow", run));
