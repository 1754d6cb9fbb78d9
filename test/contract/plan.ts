import { type OperationId, operations } from "../../generated/operations.ts";
import { requirements } from "../../generated/requirements.ts";
import { checksOfServer } from "./checks/all.ts";
import type { Check, Need, TestCase } from "./engine/check.ts";
import type { Run } from "./engine/run.ts";
import { missingNeeds } from "./engine/run-case.ts";
import type { Profile, Settings, Tag } from "./engine/settings.ts";
import { checksOfMock } from "./mock/checks.ts";
import { runTotals } from "./run-totals.ts";

/** A testCase that is going to be made, and the check that it belongs to. */
export interface PlannedCase {
  check: Check;
  testCase: TestCase;
}

/** What a run is going to do. */
export interface Plan {
  /** Side by side. */
  concurrent: PlannedCase[];
  /** One after another, when the others are through: what nothing may run beside, then what moves the clock, then what uses up a limit. */
  sequential: PlannedCase[];
}

/** The products that the operations of a profile belong to. */
const products: Record<Profile, readonly (string | null)[]> = {
  mock: ["email", "newsletter", null],
  core: ["email", "newsletter", null],
  full: ["email", "newsletter", null],
  email: ["email", null],
  newsletter: ["newsletter", null],
};

/**
 * The cases of a run, in the order they begin in.
 * @param grep only checks whose ids and law it matches
 */
export function planOf(
  settings: Pick<Settings, "profile" | "without" | "fixtures" | "runId">,
  grep?: RegExp,
): Plan {
  const { profile, without } = settings;
  const checks = profile === "mock" ? checksOfMock() : checksOfServer(settings);
  const cases = checks
    .filter(({ tags }) => !tags.some((tag) => without.includes(tag)))
    .filter((check) => grep === undefined || grep.test(nameOf(check)))
    .flatMap((check) => casesOf(check, profile).map((testCase) => ({ check, testCase })));
  const last = ({ check }: PlannedCase, tag: Tag): boolean => check.tags.includes(tag);
  const clock = cases.filter((one) => last(one, "clock") && !last(one, "burst"));
  const burst = cases.filter((one) => last(one, "burst"));
  const others = cases.filter((one) => !clock.includes(one) && !burst.includes(one));
  return {
    concurrent: others.filter(({ check }) => !check.alone),
    sequential: [...others.filter(({ check }) => check.alone), ...clock, ...burst],
  };
}

/**
 * The ids of the requirements that a run verifies on a server that has everything: its total. A complete run counts those that
 * response checks alone verify, too.
 */
export function requirementsOf(
  { profile, without }: Pick<Settings, "profile" | "without">,
  plan: Plan,
  grep?: RegExp,
): Set<string> {
  const isComplete = grep === undefined && without.length === 0;
  const ofResponses = isComplete ? runTotals[profile].responseChecks.split(" ") : [];
  return new Set([...plannedCases(plan).flatMap(({ check }) => check.ids), ...ofResponses]);
}

/** The requirements of a plan that cannot be verified in full, by id, with what is missing for each. */
export function unverifiable(run: Pick<Run, "settings" | "hooks">, plan: Plan): Map<string, Set<Need>> {
  const missing = new Map<string, Set<Need>>();
  for (const { check, testCase } of plannedCases(plan)) {
    const needs = missingNeeds(run, ["keys.full", ...check.needs, ...(testCase.needs ?? [])]);
    if (needs.length === 0) continue;
    for (const id of check.ids) missing.set(id, new Set([...(missing.get(id) ?? []), ...needs]));
  }
  return missing;
}

export const plannedCases = ({ concurrent: together, sequential: oneByOne }: Plan): PlannedCase[] => [
  ...together,
  ...oneByOne,
];

/** The name of a check: its ids, then its title. */
export const nameOf = ({ ids, title }: Pick<Check, "ids" | "title">): string => `${ids.join(" ")} ${title}`;

function casesOf(check: Check, profile: Profile): TestCase[] {
  const wanted = check.cases.filter((testCase) => {
    const own =
      testCase.operation === undefined ? productsOf(check) : [operations[testCase.operation].product];
    return own.some((product) => products[profile].includes(product));
  });
  if (profile !== "core") return wanted;
  const core = wanted.filter((testCase) => testCase.core === true);
  return core.length > 0 || wanted.some((testCase) => testCase.core === false) ? core : wanted.slice(0, 1);
}

/** The products of the operations that the requirements of a check are about. */
function productsOf({ ids }: Check): (string | null)[] {
  const rows: Record<string, { operations: readonly string[] }> = requirements;
  const ofIds = ids.flatMap((id) => rows[id]?.operations ?? []);
  return ofIds.length === 0 ? [null] : ofIds.map((id) => operations[id as OperationId].product);
}
