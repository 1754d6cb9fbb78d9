import { count } from "../../lib/text.ts";
import { expectationOf, isFailure, type Place, placesOf, withExcused } from "./expected.ts";
import { type Comparison, type ContractResult, type RequirementVerdict, verdictsOf } from "./result.ts";
import type { Group, Section } from "./section.ts";

/** Longer lists are folded. */
export const maxIds = 20;

/** The report of an earlier run, and the file that it was read from. */
export interface Baseline {
  file: string;
  report: ContractResult;
}

/**
 * A result compared with an earlier one, test case by test case. Its exit code then depends on new failures: an expected failure is none, and a
 * stale one changes nothing. What is not verified any more is not the same as before either.
 */
export function withBaseline(given: ContractResult, { file, report }: Baseline): ContractResult {
  const isKnown = knownIn(report, given);
  const result = withExcused(given, isKnown, "known");
  const [before, after] = [verdictsOf(report), verdictsOf(result)];
  const isExpected = expectationOf(given.expectedFailures ?? []);
  const fresh = new Set(
    placesOf(result)
      .filter((place) => isFailure(place.verdict) && !isKnown(place) && !isExpected(place))
      .map(({ id }) => id),
  );
  const having = (isSo: (id: string) => boolean): string[] =>
    [...new Set([...after.keys(), ...before.keys()])].filter(isSo);
  const { runId, startedAt, profile, baseUrl, client } = report;
  const baseline: Comparison = {
    file,
    of: client?.name ?? baseUrl,
    runId,
    startedAt,
    profile,
    newFailures: having((id) => isFailure(after.get(id)) && fresh.has(id)),
    knownFailures: having((id) => isFailure(after.get(id)) && !fresh.has(id)),
    fixed: having((id) => after.get(id) === "pass" && failed(before.get(id))),
    newlyVerified: having((id) => after.get(id) === "pass" && !isVerified(before.get(id))),
    noLongerVerified: having((id) => !isVerified(after.get(id)) && isVerified(before.get(id))),
  };
  return { ...result, baseline, exitCode: exitCodeOf(result, baseline) };
}

/** Whether the earlier run failed at the same place. Traffic and runs of the suite have only requirements in common. */
function knownIn(report: ContractResult, { traffic }: ContractResult): (place: Place) => boolean {
  const isSameKind = (traffic === undefined) === (report.traffic === undefined);
  const keyOf = ({ id, operation, name }: Place): string =>
    JSON.stringify(isSameKind ? [id, operation, name] : id);
  const known = new Set(
    placesOf(report)
      .filter(({ verdict }) => isFailure(verdict))
      .map(keyOf),
  );
  return (place) => known.has(keyOf(place));
}

function exitCodeOf(result: ContractResult, { newFailures, noLongerVerified }: Comparison): 0 | 1 | 3 {
  const { traffic, expectedFailures = [], resetError } = result;
  const isExpired = expectedFailures.some(({ state }) => state === "expired");
  if (newFailures.length > 0 || isExpired || resetError !== undefined) return 1;
  // Traffic may only lack what shows them.
  return traffic === undefined && lostIn(result, noLongerVerified) > 0 ? 3 : 0;
}

/** How many are not verified any more: another profile, or --grep, leaves requirements out on purpose. */
const lostIn = ({ requirements }: ContractResult, noLongerVerified: readonly string[]): number =>
  requirements.filter(({ id }) => noLongerVerified.includes(id)).length;

const failed = (verdict: RequirementVerdict | undefined): boolean =>
  isFailure(verdict) || verdict === "expected failure";

const isVerified = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "pass" || failed(verdict);

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
export function baselineMeaning(result: ContractResult): string {
  const { baseline, exitCode } = result;
  const { file, newFailures, knownFailures, noLongerVerified } = baseline as Comparison;
  const known = knownFailures.length === 0 ? "" : `, ${count(knownFailures.length, "known failure")}`;
  const found = newFailures.length === 0 ? "no new failure" : count(newFailures.length, "new failure");
  const lost =
    exitCode === 3
      ? `, but ${count(lostIn(result, noLongerVerified), "requirement is", "requirements are")} no longer verified`
      : "";
  return `${found} compared with ${file}${known}${lost}`;
}
