import { styleText } from "node:util";
import { plainTable } from "../../lib/table.ts";
import { count, visible, wrapped } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
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
import { bodyText, curlOf, errorLink, errorTypeIn, notesOf, statusText, stepLines } from "./exchange-text.ts";
import { type ContractResult, type FailedCase, headingOf, stepsAbout, subjectOf, textsOf } from "./result.ts";
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
  const lines = groups.map(({ what, ids = [], isFolded, detail = [] }) => {
    const shown = kind === "causes" ? atMost(ids, maxAlso, "") : isFolded ? [] : ids;
    const list = shown.join(", ");
    const text = brief(what, maxText);
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
function failures(result: ContractResult, all: readonly Finding[]): string[] {
  const findings = all.filter(({ missing }) => !missing);
  const others = findings.slice(maxInFull).map(findingInShort);
  const isSelectable = result.traffic === undefined;
  const title = `Other failures, in full with --html report.html${isSelectable ? " or --grep and an id" : ""}:`;
  const list = others.length === 0 ? [] : [[title, ...atMost(others, maxTitles)].join("\n")];
  return [...findings.slice(0, maxInFull).map((finding) => findingText(result, finding)), ...list];
}

/** A finding in two lines: its first failure, and what is wrong. */
export function findingInShort({ cause, first }: Finding): string {
  const { expected, found, times } = first;
  const more = times === 1 ? "" : ` (and ${count(times - 1, "more case")})`;
  const text = cause ?? `expected ${brief(expected, maxShort)}; found ${brief(found, maxShort)}`;
  return [
    wrapped(`- ${visible(headingOf(first))}${more}`, "  "),
    wrapped(`    ${brief(text, 2 * maxShort)}`, "    "),
  ].join("\n");
}

/** A finding in full: its first failure with the requests that show it. */
export function findingText(result: ContractResult, { cause, first, cases, ids: all }: Finding): string {
  const { ids, expected, found, times, steps, exchanges, repeat } = first;
  const texts = textsOf(result);
  const every = stepLines(steps, maxStep);
  const lines = every.length > maxSteps ? stepLines(stepsAbout(first), maxStep).slice(-maxSteps) : every;
  const earlier = every.length - lines.length;
  const nameOf = (one: FailedCase): string => `${one.ids.join(" ")} ${one.check}`;
  const others = cases.filter((one) => nameOf(one) !== nameOf(first));
  const checks = new Set(others.map(nameOf));
  const fresh = all.filter((id) => !ids.includes(id));
  const shown = fresh.length > 0 ? fresh : [...new Set(others.flatMap((one) => one.ids))];
  const areReplays = cases.every(isReplay) ? "; all that are kept are replays" : "";
  const also = `${count(checks.size, "more check")} of ${atMost(shown, maxAlso, "").join(", ")}`;
  return [
    styleText("red", wrapped(visible(headingOf(first)), "  ")),
    cause && labelled("cause", cause),
    ...ids.map((id) => labelled(id, texts.get(id) ?? "")),
    labelled("expected", expected),
    labelled("found", found),
    // Not wrapped, so that it can be copied.
    repeat && `${labelled("repeat", "with the options for the server:")}\n  ${repeat}`,
    earlier > 0 && labelled("before", `${count(earlier, "other request")}, and:`),
    ...lines.map((line) => labelled("before", line)),
    ...exchanges.flatMap((exchange) => exchangeLines(exchange, result, first)),
    times > 1 && wrapped(`  It fails in ${count(times - 1, "more case")}${areReplays}.`, "  "),
    checks.size > 0 && wrapped(`  Also fails: ${also}.`, "    "),
  ]
    .filter(Boolean)
    .join("\n");
}

const isReplay = ({ exchanges }: FailedCase): boolean =>
  exchanges.at(-1)?.response.headers["idempotent-replayed"] === "true";

/** Words of failures that are about times. */
const ofTimes = /_at\b|\b(times?|deadlines)\b|\d{4}-\d\d-\d\dT/;

/** The server's time if it is far from that of the suite. */
function clockOf({ startedAt, response }: RecordedExchange): string | undefined {
  const { date } = response.headers;
  const isOff = Math.abs(Date.parse(date ?? "") - startedAt) > 60_000;
  return isOff
    ? labelled("clock", `the server's Date is ${date}, the suite's ${new Date(startedAt).toUTCString()}`)
    : undefined;
}

/** Words of failures that are about headers. */
const ofHeaders = /\bheaders?\b|\b(x-[a-z]|allow:|retry-after|content-type|idempotent-replayed)/i;

/** The lines of the command are not wrapped, so that it can be copied. */
function exchangeLines(exchange: RecordedExchange, result: ContractResult, failed: FailedCase) {
  const { method, path, request, response } = exchange;
  const command = curlOf(exchange, result);
  const fits = command.length <= maxCommand;
  const docs = errorLink(exchange, result);
  const about = `${failed.expected} ${failed.found}`;
  const body = command === "" || !fits ? bodyText(request.body ?? "", maxBody, about) : "";
  const headers = Object.entries(response.headers).map((pair) => pair.join(": "));
  const type = errorTypeIn(response.body);
  const isAddition = type && result.information.some((text) => text.startsWith(`error type ${type} (`));
  return [
    ...notesOf(exchange, result).map(({ label, text }) =>
      labelled(label, bodyText(text, 2 * maxBody, about)),
    ),
    labelled("request", `${method} ${path} ${body}`),
    ofTimes.test(about) && result.traffic === undefined && clockOf(exchange),
    ofHeaders.test(about) && labelled("headers", headers.join("; ")),
    labelled("response", `${statusText(exchange)} ${bodyText(response.body, maxBody, about)}`),
    // It may stand for the error type that was expected.
    isAddition && labelled("addition", `error type ${type}, which is not in the document`),
    // Not wrapped, so that a terminal makes it a link.
    docs && `  docs      ${docs}`,
    !fits && "  The curl command is long: see the HTML report.",
    ...(fits && command ? command.split("\n").map((line) => `  ${styleText("dim", line)}`) : []),
  ];
}

const labelled = (label: string, text: string): string =>
  wrapped(`  ${label.padEnd(9)} ${brief(text, 2 * maxBody)}`.trimEnd(), " ".repeat(12));
