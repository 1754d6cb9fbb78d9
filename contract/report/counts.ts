import type { PlainTable } from "../../lib/table.ts";
import { count } from "../../lib/text.ts";
import { atMost, brief, capitalized, inShort, listOf } from "../text.ts";
import { baselineMeaning } from "./baseline.ts";
import { stateText } from "./levels.ts";
import { type ContractResult, type CoverageOfKind, type CoverageResult, verdictsOf } from "./result.ts";

/** `Core passed`, `Full passed with 2 exceptions`, and what keeps every level from being passed; nothing of a server without a name. */
export function levelFacts({ levels = [], implementation, ...report }: ContractResult): string[] {
  if (implementation === undefined || levels.length === 0) return [];
  const leftOut = [...(levels[0]?.leftOut ?? []), ...openCount(report.notImplemented)];
  return [
    ...levels.map((level) => `${level.title} ${stateText(level, verdictsOf(report))}`),
    ...(leftOut.length > 0 ? [`Every level requires what the run leaves out: ${listOf(leftOut)}`] : []),
  ];
}

/** What the verdicts are about: the profile of a run with what it leaves out, or traffic. */
export function scopeOf(run: Pick<ContractResult, "profile" | "without" | "notImplemented" | "traffic">) {
  const { profile, without = [], notImplemented = [], traffic } = run;
  if (traffic !== undefined) return `observed traffic${openOf(notImplemented)}`;
  return `profile ${profile}${without.length === 0 ? "" : ` without ${listOf(without)}`}${openOf(notImplemented)}`;
}

/** `, not implemented: sendBatch`; empty if everything is. */
export const openOf = (notImplemented: readonly string[] = []): string =>
  notImplemented.length === 0 ? "" : `, not implemented: ${listOf(notImplemented)}`;

/** `8 operations not implemented`, for where their names are too long. */
export const openCount = (notImplemented: readonly string[] = []): string[] =>
  countIf(notImplemented.length, "operation not implemented", "operations not implemented");

/** What the response checks of a result are about. */
export const checkedMessage = ({ client }: Pick<ContractResult, "client">): "request" | "response" =>
  client === undefined ? "response" : "request";

/** How often a response check was applied. Those of a client are applied to requests and replies: a run has fewer requests. */
export const checkedTimes = (result: Pick<ContractResult, "client">, times: number): string =>
  count(times, result.client === undefined ? checkedMessage(result) : "time");

export const failedTimes = (result: Pick<ContractResult, "client">, failed: number, times: number): string =>
  `fails ${result.client === undefined ? "in " : ""}${failed} of ${checkedTimes(result, times)}`;

/** A table of a report: names in the first column, numbers in the others. */
export type ReportTable = Pick<PlainTable, "head" | "rows">;

/** Numbers of requirements by topic and verdict. */
export function topicTable({ counts, byTopic }: ContractResult): ReportTable {
  const columns = [
    ["Pass", "pass"],
    ["Fail", "fail"],
    ...(counts.expectedFailure > 0 ? [["Expected failure", "expectedFailure"] as const] : []),
    ["Not verified", "notVerified"],
    ["Error", "error"],
  ] as const;
  return {
    head: ["Topic", ...columns.map(([title]) => title)],
    rows: byTopic.map((row) => [row.topic, ...columns.map(([, of]) => String(row[of] || "-"))]),
  };
}

/** The verdicts in one line: `231 of 240 requirements pass, 3 fail, 6 not verified`. */
export function verdictLine({ counts, requirements }: ContractResult): string {
  const { pass, fail, expectedFailure, notVerified: unverified, error } = counts;
  return [
    `${pass} of ${count(requirements.length, "requirement")} pass`,
    ...(fail > 0 ? [`${fail} fail`] : []),
    ...(expectedFailure > 0 ? [count(expectedFailure, "expected failure")] : []),
    ...(unverified > 0 ? [`${unverified} not verified`] : []),
    ...(error > 0 ? [count(error, "error")] : []),
  ].join(", ");
}

/** What the exit code of a run means: `Exit code 0: every requirement passes.` */
export function exitLine(result: ContractResult): string {
  const { exitCode, counts, profile, requirements, baseline, client, traffic, needs } = result;
  const meaning = (): string => {
    if (isCoverageAlone(result)) return "the coverage is too low";
    if (needs !== undefined)
      return `${count(needs.met, "need is", "needs are")} met; not met: ${needs.missing.length}, not shown: ${needs.notShown.length}`;
    if (baseline !== undefined) return [baselineMeaning(result), ...entryFaults(result)].join(", ");
    if (exitCode === 0 && traffic !== undefined) return "no requirement fails in the traffic";
    if (exitCode === 0 && client?.against) return "no difference that is not expected";
    const apart =
      counts.expectedFailure && `, apart from ${count(counts.expectedFailure, "expected failure")}`;
    if (exitCode === 0) return `every tested requirement of the profile ${profile} passes${apart || ""}`;
    const isMissing = client === undefined && requirements.some(({ needs }) => needs !== undefined);
    if (exitCode === 3 && requirements.length === 0) return "no check could run";
    if (exitCode === 3)
      return `no requirement fails, ${counts.notVerified} not verified${isMissing ? ": see contract doctor" : ""}`;
    const passing = result.expectedFailures?.filter(({ state }) => !traffic && state === "passes") ?? [];
    return [
      ...countIf(counts.fail, "requirement fails", "requirements fail"),
      ...countIf(counts.error, "requirement ends in an error", "requirements end in an error"),
      ...countIf(passing.length, "expected failure is stale", "expected failures are stale"),
      ...entryFaults(result),
    ].join(", ");
  };
  return [`Exit code ${exitCode}: ${meaning()}.`, ...withoutResponseLine(result)].join(" ");
}

const countIf = (number: number, one: string, several: string): string[] =>
  number === 0 ? [] : [count(number, one, several)];

/** What fails a run beside requirements, also one with a baseline. */
function entryFaults({ expectedFailures = [], resetError }: ContractResult): string[] {
  const expired = expectedFailures.filter(({ state }) => state === "expired").length;
  return [
    ...countIf(expired, "expected failure has expired", "expected failures have expired"),
    ...(resetError === undefined ? [] : ["the hook reset failed"]),
  ];
}

/** If requirements end in errors: `POST /api/v1/emails/batch never responded (3 of 3 tries, 10 s).` */
function withoutResponseLine({ counts, unanswered = [] }: ContractResult): string[] {
  if (counts.error === 0 || unanswered.length === 0) return [];
  const facts = unanswered
    .toSorted((one, other) => other.unanswered - one.unanswered)
    .map(({ request, tries, unanswered: withoutResponse, reason }) => {
      const how = /^status \d/.test(reason) ? " completely" : "";
      const what = `${withoutResponse === tries ? "never responded" : "did not respond"}${how}`;
      return `${brief(request, 80)} ${what} (${withoutResponse} of ${count(tries, "try", "tries")}, ${brief(reason, 120)})`;
    });
  return [`${atMost(facts, mostNamed, "").join("; ")}.`];
}

/** Whether nothing but the coverage decides that the exit code is 1. */
const isCoverageAlone = (result: ContractResult): boolean =>
  isBelowThreshold(result) &&
  (result.baseline?.newFailures.length ?? result.counts.fail) === 0 &&
  entryFaults(result).length === 0;

/**
 * The text and the colour of a badge: how many requirements fail if that decides the exit code, or the coverage, otherwise
 * how many pass.
 */
export function badgeOf(result: ContractResult): { text: string; state: "fail" | "warning" | "pass" } {
  const { exitCode, counts, requirements, stale, baseline, coverage } = result;
  const all = requirements.length;
  if (coverage !== undefined && isCoverageAlone(result))
    return { text: `coverage ${percentOf(coverage)} %`, state: "fail" };
  if (exitCode === 1) {
    const faults = [
      ...countIf(result.needs?.missing.length ?? 0, "need is not met", "needs are not met"),
      ...countIf(baseline?.newFailures.length ?? 0, "new failure", "new failures"),
      ...(baseline === undefined && counts.fail > 0 ? [`${counts.fail} of ${all} fail`] : []),
      ...(baseline === undefined ? countIf(counts.error, "error", "errors") : []),
      ...(baseline === undefined && stale.length > 0 ? [`${stale.length} stale`] : []),
      ...entryFaults(result),
    ];
    return { text: faults[0] ?? "", state: "fail" };
  }
  const isComplete = exitCode === 0 && counts.expectedFailure + counts.fail === 0;
  return { text: `${counts.pass} of ${all} pass`, state: isComplete ? "pass" : "warning" };
}

/** Rounded down: only everything is 100. */
const percentOf = ({ covered, total }: Pick<CoverageResult, "covered" | "total">): number =>
  total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10;

/** Whether a threshold is set and not reached. */
export const isBelowThreshold = ({ coverage }: Pick<ContractResult, "coverage">): boolean =>
  coverage?.threshold !== undefined && percentOf(coverage) < coverage.threshold;

/** `Coverage 84.2 % (412 of 489), threshold 90 %`. */
export function coverageLine(coverage: CoverageResult): string {
  const { covered, total, threshold } = coverage;
  const required = threshold === undefined ? "" : `, threshold ${threshold} %`;
  return `Coverage ${percentOf(coverage)} % (${covered} of ${total})${required}`;
}

/** The most names of what is missing in one line. */
const mostNamed = 5;

/** `Missing: getMe, sendEmail 413 and 70 more`; empty if nothing is missing. */
export function missingLine(coverage: CoverageResult): string {
  const missing = incompleteKinds(coverage).flatMap((one) => one.missing);
  return missing.length === 0 ? "" : `Missing: ${inShort(missing, mostNamed)}`;
}

/** What the tests exercised by kind, and in all. */
export function coverageTable({ kinds, ...all }: CoverageResult): ReportTable {
  const row = (title: string, one: Pick<CoverageOfKind, "covered" | "total">): string[] => [
    title,
    ...[one.covered, one.total].map(String),
    `${percentOf(one).toFixed(1)} %`,
  ];
  return {
    head: ["Coverage", "Covered", "Of", "Percent"],
    rows: [...kinds.map((one) => row(capitalized(one.kind), one)), row("All", all)],
  };
}

/** The kinds that lack something, but for requirements: the list of those that are not verified has them. */
export const incompleteKinds = ({ kinds }: CoverageResult): CoverageOfKind[] =>
  kinds.filter(({ kind, missing }) => kind !== "requirements" && missing.length > 0);

/**
 * What is missing of a kind, in fewer lines: a status or an error with all operations that lack it, `402 no_plan: sendEmail, sendBatch`.
 * @param most of more operations than these, only the number is shown: `401 unauthorized: 10 operations`
 */
export function missingItems({ kind, missing }: CoverageOfKind, most = Number.POSITIVE_INFINITY): string[] {
  if (kind !== "statuses" && kind !== "errors") return [...missing];
  // The operation of a label, or `any path`, and what follows it.
  const parts = missing.map((label) => /^(any path|\w+):? (.*)$/.exec(label) ?? [label, "", label]);
  return [...Map.groupBy(parts, ([, , what]) => what)].map(([what, own]) => {
    const operations = own.map(([, operation]) => operation);
    return `${what}: ${operations.length > most ? count(operations.length, "operation") : operations.join(", ")}`;
  });
}

/** How the percentage of all is computed. */
export const coverageNote =
  "All is the sum of the kinds. Statuses and errors from 500 on, technical limits and what is unspecified do not count.";
