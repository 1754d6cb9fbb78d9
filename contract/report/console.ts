import { styleText } from "node:util";
import { plainTable } from "../../lib/table.ts";
import { count, visible, wrapped } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { atMost, brief, duration } from "../text.ts";
import { baselineSection } from "./baseline.ts";
import { causesSection, type Diagnosis, diagnose, type Finding } from "./causes.ts";
import {
  checkedMessage,
  coverageLine,
  coverageTable,
  exitLine,
  incompleteKinds,
  isBelowThreshold,
  missingItems,
  type ReportTable,
  scopeOf,
  topicTable,
  verdictLine,
} from "./counts.ts";
import { bodyText, curlOf, errorLink, errorTypeIn, notesOf, statusText, stepLines } from "./exchange-text.ts";
import { type ContractResult, type FailedCase, stepsAbout, textsOf } from "./result.ts";
import { errorsTitle, type Group, type Section, sectionsOf } from "./sections.ts";

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
    ...causesSection(diagnosis.findings.filter(({ isMissing }) => isMissing)).map(section),
    table(topicTable(result)),
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
  const missing = incompleteKinds(found).map((one) =>
    wrapped(`- ${one.kind}: ${atMost(missingItems(one, maxOperations), maxMissing, "").join("; ")}`, "  "),
  );
  return [
    table(coverageTable(found)),
    ...(missing.length === 0 ? [] : [["Not covered:", ...missing].join("\n")]),
    styleText(isBelowThreshold({ coverage: found }) ? "red" : "reset", wrapped(`${coverageLine(found)}.`)),
  ];
}

/** The comparison of a result with its baseline. */
export const comparisonText = (result: ContractResult): string =>
  [...failures(result, diagnose(result)), ...baselineSection(result).map(section), summary(result)].join(
    "\n\n",
  );

const table = ({ head, rows }: ReportTable): string =>
  plainTable({
    head,
    rows,
    widths: head.map((title, index) => (index === 0 ? 20 : Math.max(6, title.length + 2))),
    align: head.map((_, index) => (index === 0 ? "left" : "right")),
  });

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
    if (title === errorsTitle) return errorLines({ what, ids, detail: detail ?? [] });
    const list = title === "Common causes" ? atMost(ids, maxAlso, "") : ids;
    return wrapped(`- ${brief(what, maxText)}${ids.length === 0 ? "" : `: ${list.join(", ")}`}`, "  ");
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
/** Characters of a request before the failing one, so that it has a line. */
const maxStep = 58;
const maxSteps = 8;
/** Other requirements of a finding. */
const maxAlso = 24;
/** Characters of what was expected or found, below a title. */
const maxShort = 100;
/** A longer command is in the HTML report only. */
const maxCommand = 1600;

/** The findings without those of missing operations: the first in full, then titles. */
function failures(result: ContractResult, diagnosis: Diagnosis): string[] {
  const findings = diagnosis.findings.filter(({ isMissing }) => !isMissing);
  const titles = findings
    .slice(maxInFull)
    .map(
      (finding) =>
        `${wrapped(`- ${heading(finding.cases[0])}${moreCases(finding, " (and ", ")")}`, "  ")}\n${inShort(finding)}`,
    );
  return [
    ...findings.slice(0, maxInFull).map((finding) => failure(result, finding)),
    ...(titles.length === 0 ? [] : [[otherFailures(result), ...atMost(titles, maxTitles)].join("\n")]),
  ];
}

const otherFailures = ({ traffic }: ContractResult): string =>
  `Other failures, in full with --html report.html${traffic === undefined ? " or --grep and an id" : ""}:`;

function failure(result: ContractResult, finding: Finding): string {
  const { cause, cases } = finding;
  const [first] = cases;
  const { ids, expected, found, steps, exchanges, repeat } = first;
  const texts = textsOf(result);
  const more = moreCases(finding, "  It fails in ", ".");
  const all = stepLines(steps, maxStep);
  const lines = all.length > maxSteps ? stepLines(stepsAbout(first), maxStep).slice(-maxSteps) : all;
  const others = all.length - lines.length;
  return [
    styleText("red", wrapped(heading(first), "  ")),
    ...(cause === undefined ? [] : [labelled("cause", cause)]),
    ...ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", expected),
    labelled("found", found),
    // Not wrapped, so that it can be copied.
    ...(repeat === undefined ? [] : [labelled("repeat", "with the options for the server:"), `  ${repeat}`]),
    ...(others > 0 ? [labelled("before", `${count(others, "other request")}, and:`)] : []),
    ...lines.map((line) => labelled("before", line)),
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, result, first)),
    ...(more === "" ? [] : [wrapped(more, "  ")]),
    ...alsoFails(finding),
  ].join("\n");
}

/** What is wrong, below the title of a finding. */
function inShort({ cause, cases: [{ expected, found }] }: Finding): string {
  const text = cause ?? `expected ${brief(expected, maxShort)}; found ${brief(found, maxShort)}`;
  return wrapped(`    ${brief(text, 2 * maxShort)}`, "    ");
}

/** The other checks that fail for the same cause. */
function alsoFails({ cases: [first, ...rest], ids }: Finding): string[] {
  const checks = new Set(rest.flatMap(({ check }) => (check === first.check ? [] : [check])));
  if (checks.size === 0) return [];
  const others = ids.filter((id) => !first.ids.includes(id));
  const list = atMost(others, maxAlso, "").join(", ");
  return [
    wrapped(`  Also fails: ${count(checks.size, "more check")}${list === "" ? "" : ` of ${list}`}.`, "    "),
  ];
}

/** The lines of the command are not wrapped, so that it can be copied. */
function exchangeLines(exchange: RecordedExchange, result: ContractResult, failed: FailedCase): string[] {
  const { method, path, request, response } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= maxCommand;
  const docs = errorLink(exchange, result);
  const hasBody = command === "" || !fits;
  return [
    ...notesOf(exchange, result).map(({ label, text }) => labelled(label, text)),
    labelled("request", `${method} ${path} ${hasBody ? brief(request.body ?? "", maxBody) : ""}`),
    ...headerLines(exchange, failed),
    labelled("response", `${statusText(exchange)} ${bodyText(response.body, maxBody, about(failed))}`),
    ...additionsAt(exchange, result).map((text) => labelled("addition", text)),
    // Not wrapped, so that a terminal makes it a link.
    ...(docs === undefined ? [] : [`  docs      ${docs}`]),
    ...(command === ""
      ? []
      : fits
        ? command.split("\n").map((line) => `  ${styleText("dim", line)}`)
        : ["  The curl command is long: see the HTML report."]),
  ];
}

/** What a failure is about, to find it in a response. */
const about = ({ expected, found }: FailedCase): string => `${expected} ${found}`;

/** The headers of the response, if the failure is about headers. */
function headerLines({ response: { headers } }: RecordedExchange, failed: FailedCase): string[] {
  const isAboutHeaders = /\bheaders?\b|\b(x-[a-z]|allow:|retry-after|content-type|idempotent-replayed)/i;
  if (!isAboutHeaders.test(about(failed))) return [];
  return [
    labelled(
      "headers",
      Object.entries(headers)
        .map((pair) => pair.join(": "))
        .join("; "),
    ),
  ];
}

/** An error type of the response that the document does not have: it may stand for the one that was expected. */
const additionsAt = ({ response }: RecordedExchange, { information }: ContractResult): string[] =>
  information.flatMap((text) => {
    const [, what, type] = /^(error type (.*)) \(status \d+\)$/.exec(text) ?? [];
    return type !== undefined && type === errorTypeIn(response.body)
      ? [`${what}, which is not in the document`]
      : [];
  });

/** How often else the check of the first failure fails. */
const moreCases = ({ cases: [{ times }] }: Finding, before: string, after: string): string =>
  times === 1 ? "" : `${before}${count(times - 1, "more case")}${after}`;

const heading = ({ ids, check, title }: FailedCase): string =>
  visible(`${ids.join(" ")} ${check}${title === "" ? "" : `: ${title}`}`);

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * maxBody)}`.trimEnd(), " ".repeat(12));
