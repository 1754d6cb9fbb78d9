import { styleText } from "node:util";
import { plainTable } from "../../lib/table.ts";
import { count, wrapped } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { atMost, brief, duration, visible } from "../text.ts";
import { baselineSection } from "./baseline.ts";
import { causesSection, type Diagnosis, diagnose } from "./causes.ts";
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
import { curlOf, errorLink, notesOf, statusText } from "./exchange-text.ts";
import { byCheck, type ContractResult, type FailedCheck, textsOf } from "./result.ts";
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
    ...causesSection(diagnosis).map(section),
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
