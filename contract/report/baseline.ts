import { count } from "../../lib/text.ts";
import { excuse, isFailure, type Place, placesOf } from "./expected.ts";
import {
  type Comparison,
  type ContractResult,
  exitCodeOf,
  lostIn,
  type RequirementVerdict,
  subjectOf,
  verdictsOf,
} from "./result.ts";

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
  const result = structuredClone(given);
  excuse(result, knownIn(report, given), "known");
  const [before, after] = [verdictsOf(report), verdictsOf(result)];
  const failures = placesOf(result).filter(({ verdict, item }) => isFailure(verdict) && !item.excused);
  const fresh = new Set(failures.map(({ id }) => id));
  const decided = decidedIn(result);
  const left = [...decidedIn(report)].filter((place) => !decided.has(place));
  const lost = new Set(left.map((place) => place.split(" ")[0]));
  const having = (isSo: (id: string) => boolean): string[] =>
    [...new Set([...after.keys(), ...before.keys()])].filter(isSo);
  const { runId, startedAt, profile } = report;
  const names = casesOf(result);
  const missing = [...casesOf(report)].filter((name) => !names.has(name)).length;
  const baseline: Comparison = {
    file,
    of: subjectOf(report),
    runId,
    startedAt,
    profile,
    newFailures: having((id) => isFailure(after.get(id)) && fresh.has(id)),
    knownFailures: having((id) => isFailure(after.get(id)) && !fresh.has(id)),
    fixed: having((id) => failed(before.get(id)) && !failed(after.get(id)) && !lost.has(id)),
    newlyVerified: having((id) => after.get(id) === "pass" && !isVerified(before.get(id))),
    noLongerVerified: having(
      (id) => lost.has(id) && !isVerified(after.get(id)) && isVerified(before.get(id)),
    ),
    ...(missing > 0 && { missingCases: missing }),
  };
  return { ...result, baseline, exitCode: exitCodeOf({ ...result, baseline }) };
}

/** The titles of the test cases with those of their checks. In traffic, they count how often something happened. */
const casesOf = ({ checks, traffic }: ContractResult): Set<string> =>
  new Set(traffic ? [] : checks.flatMap(({ title, cases }) => cases.map((one) => `${title}: ${one.title}`)));

/** The requirements that pass or fail, by what shows it. Others of their test cases may lack a fixture in both runs. */
function decidedIn(report: ContractResult): Set<string> {
  const places = placesOf(report).filter(({ verdict }) => verdict !== "not verified");
  return new Set(places.map(({ id, name }) => `${id} ${name}`));
}

/** Whether the earlier run failed at the same place. Traffic and runs of the suite have only requirements in common. */
function knownIn(report: ContractResult, { traffic }: ContractResult): (place: Place) => boolean {
  const isSameKind = (traffic === undefined) === (report.traffic === undefined);
  const keyOf = ({ id, operation, name, at }: Place) =>
    JSON.stringify(isSameKind ? [id, operation, name, at] : id);
  const failures = placesOf(report).filter(({ verdict }) => isFailure(verdict));
  const known = new Set(failures.map(keyOf));
  return (place) => known.has(keyOf(place));
}

const failed = (verdict: RequirementVerdict | undefined): boolean =>
  isFailure(verdict) || verdict === "expected failure";

const isVerified = (verdict: RequirementVerdict | undefined) => verdict === "pass" || failed(verdict);

/** What the exit code means: `2 new failures compared with before.json`. */
export function baselineMeaning(result: ContractResult): string {
  const { file, newFailures, knownFailures } = result.baseline as Comparison;
  const known = knownFailures.length === 0 ? "" : `, ${count(knownFailures.length, "known failure")}`;
  const found = newFailures.length === 0 ? "no new failure" : count(newFailures.length, "new failure");
  const lost =
    result.exitCode === 3
      ? `, but ${count(lostIn(result).length, "requirement is", "requirements are")} no longer verified`
      : "";
  return `${found} compared with ${file}${known}${lost}`;
}
