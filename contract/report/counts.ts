import { count } from "../../lib/count.ts";
import { listOf } from "../text.ts";
import { baselineMeaning } from "./baseline.ts";
import { isBelowThreshold, percentOf } from "./coverage.ts";
import type { ContractResult } from "./result.ts";

/** What the verdicts are about: the profile of a run with what it leaves out, or traffic. */
export const scopeOf = ({
  profile,
  without = [],
  traffic,
}: Pick<ContractResult, "profile" | "without" | "traffic">): string =>
  traffic === undefined
    ? `profile ${profile}${without.length === 0 ? "" : ` without ${listOf(without)}`}`
    : "observed traffic";

/** What the response checks of a result are about. */
export const checkedMessage = ({ client }: Pick<ContractResult, "client">): "request" | "response" =>
  client === undefined ? "response" : "request";

/** How often a response check was applied. Those of a client are applied to requests and replies: a run has fewer requests. */
export const checkedTimes = (result: Pick<ContractResult, "client">, times: number): string =>
  count(times, result.client === undefined ? checkedMessage(result) : "time");

/** How often it failed. */
export const failedTimes = (result: Pick<ContractResult, "client">, failed: number, times: number): string =>
  `fails ${result.client === undefined ? "in " : ""}${failed} of ${checkedTimes(result, times)}`;

/** The columns of the table by topic. */
export const topicColumns = ({ counts }: ContractResult) =>
  [
    { title: "Pass", of: "pass" },
    { title: "Fail", of: "fail" },
    ...(counts.expectedFailure > 0 ? [{ title: "Expected failure", of: "expectedFailure" } as const] : []),
    { title: "Not verified", of: "notVerified" },
    { title: "Error", of: "error" },
  ] as const;

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
  const { exitCode, counts, stale, profile, requirements, baseline, traffic } = result;
  const meaning = (): string => {
    if (isCoverageAlone(result)) return "the coverage is too low";
    if (baseline !== undefined) return baselineMeaning(baseline);
    if (exitCode === 0 && traffic !== undefined) return "no requirement fails in the traffic";
    if (exitCode === 0) return `every tested requirement of the profile ${profile} passes`;
    const isMissing = requirements.some(({ reason }) => reason?.startsWith("Not configured: "));
    if (exitCode === 3) {
      const open = [
        ...(counts.notVerified > 0 ? [`${counts.notVerified} not verified`] : []),
        ...(counts.error > 0 ? [`${counts.error} with errors`] : []),
      ];
      return `no requirement fails, ${open.join(", ")}${isMissing ? ": see contract doctor" : ""}`;
    }
    if (counts.fail > 0) return `${count(counts.fail, "requirement fails", "requirements fail")}`;
    return `${count(stale.length, "expected failure passes", "expected failures pass")}`;
  };
  return `Exit code ${exitCode}: ${meaning()}.`;
}

/** Whether nothing but the coverage decides that the exit code is 1. */
const isCoverageAlone = (result: ContractResult): boolean =>
  isBelowThreshold(result) && (result.baseline?.newFailures.length ?? result.counts.fail) === 0;

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
    if (baseline !== undefined)
      return { text: count(baseline.newFailures.length, "new failure"), state: "fail" };
    const isStale = counts.fail === 0;
    return { text: isStale ? `${stale.length} stale` : `${counts.fail} of ${all} fail`, state: "fail" };
  }
  const isComplete = exitCode === 0 && counts.expectedFailure + counts.fail === 0;
  return { text: `${counts.pass} of ${all} pass`, state: isComplete ? "pass" : "warning" };
}
