import { count } from "../../lib/count.ts";
import type { Comparison, ContractResult, RequirementVerdict } from "./result.ts";
import type { Group, Section } from "./section.ts";

/** The report of an earlier run, and the file that it was read from. */
export interface Baseline {
  file: string;
  report: ContractResult;
}

/**
 * A result compared with an earlier one, requirement by requirement. Its exit code then depends on new failures only: an expected failure is none, and a
 * stale one changes nothing.
 */
export function withBaseline(result: ContractResult, { file, report }: Baseline): ContractResult {
  const before = new Map(report.requirements.map(({ id, verdict }) => [id, verdict]));
  const after = new Map(result.requirements.map(({ id, verdict }) => [id, verdict]));
  const having = (isSo: (id: string) => boolean): string[] =>
    [...new Set([...after.keys(), ...before.keys()])].filter(isSo);
  const { runId, startedAt, profile, baseUrl, client } = report;
  const baseline: Comparison = {
    file,
    of: client?.name ?? baseUrl,
    runId,
    startedAt,
    profile,
    newFailures: having((id) => after.get(id) === "fail" && !failed(before.get(id))),
    knownFailures: having((id) => after.get(id) === "fail" && failed(before.get(id))),
    fixed: having((id) => after.get(id) === "pass" && failed(before.get(id))),
    newlyVerified: having((id) => after.get(id) === "pass" && !isVerified(before.get(id))),
    noLongerVerified: having((id) => !isVerified(after.get(id)) && isVerified(before.get(id))),
  };
  return { ...result, baseline, exitCode: baseline.newFailures.length > 0 ? 1 : 0 };
}

const failed = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "fail" || verdict === "expected failure";

const isVerified = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "pass" || failed(verdict);

/** Longer lists are folded. */
const maxIds = 20;

/** What reports say about the comparison; nothing without a baseline. */
export function baselineSection({ baseline, profile }: ContractResult): Section[] {
  if (baseline === undefined) return [];
  const { newFailures, noLongerVerified } = baseline;
  const group = (name: string, ids: string[]): Group[] => {
    if (ids.length === 0) return [];
    const what = `${name} (${ids.length})`;
    return [ids.length > maxIds ? { what, ids: [], folded: ids } : { what, ids }];
  };
  const groups = [
    ...group("New failures", newFailures),
    ...group("Fixed", baseline.fixed),
    ...group("Newly verified", baseline.newlyVerified),
    ...group("No longer verified", noLongerVerified),
    ...group("Known failures", baseline.knownFailures),
  ];
  const other = `The baseline is of the profile ${baseline.profile}, this run of ${profile}: requirements of one of them are newly verified or no longer verified`;
  const nothing: Group = { what: "No requirement has another verdict", ids: [] };
  return [
    {
      title: `Compared with ${baseline.file} (${baseline.of}, profile ${baseline.profile}, ${baseline.startedAt.slice(0, 10)})`,
      severity: newFailures.length > 0 ? "error" : noLongerVerified.length > 0 ? "warning" : "information",
      groups: [
        ...(baseline.profile === profile ? [] : [{ what: other, ids: [] }]),
        ...(groups.length === 0 ? [nothing] : groups),
      ],
    },
  ];
}

/** What the exit code means: `2 new failures compared with before.json`. */
export function baselineMeaning({ file, newFailures, knownFailures }: Comparison): string {
  const known = knownFailures.length === 0 ? "" : `, ${count(knownFailures.length, "known failure")}`;
  const found = newFailures.length === 0 ? "no new failure" : count(newFailures.length, "new failure");
  return `${found} compared with ${file}${known}`;
}
