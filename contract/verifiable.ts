import type { Need } from "./engine/check.ts";
import { missingNeeds, needsOfCase } from "./engine/run-case.ts";
import { isOptionalSetting, type Settings } from "./engine/settings.ts";
import { isOutside, outsideOf, type Plan, type PlannedCase, planOf } from "./plan.ts";
import { type Grep, ofResponses, operationsOfRequirement } from "./selection.ts";

/**
 * The ids of the requirements that a run can verify on a server with every fixture: its total. A complete run includes those that
 * only response checks verify.
 */
export function requirementsOf(settings: Settings, plan: Plan, grep?: Grep): Set<string> {
  const { profile, without, sequences, notImplemented = [] } = settings;
  // Fewer sequences, or others, need not show all that the usual ones do.
  const isUsual = profile !== "model" || sequences === undefined;
  const isComplete = grep === undefined && without.every(isOptionalSetting) && isUsual;
  const shown = isComplete || grep !== undefined ? ofResponses(profile, grep) : [];
  // In other profiles than `model`, other checks verify what sequences do.
  const ofSequences = profile === "model" && isUsual ? plan.flatMap(verifiedBySequence) : [];
  const all = [...plan.flatMap(({ check }) => check.ids), ...ofSequences, ...shown];
  const not = outsideOf(settings, plan, grep);
  return new Set(all.filter((id) => !not.has(id) && !isOutside(operationsOfRequirement(id), notImplemented)));
}

/** How many requirements a run can verify with the settings, and how many there are. */
export function coverageOf(settings: Settings, plan: Plan, grep?: Grep): { able: number; all: number } {
  const { sequences: _, ...usual } = settings;
  const ids = requirementsOf(usual, plan, grep);
  const missing = [...unverifiable(settings, plan).keys()].filter((id) => ids.has(id));
  return { able: ids.size - missing.length, all: ids.size };
}

/** The requirements of a plan that cannot be verified in full, by id, with what is missing for each. */
export const unverifiable = (settings: Settings, plan: Plan): Map<string, Set<Need>> =>
  missingIn(settings, plan, lacksEach);

/**
 * What is missing to verify the requirements of a plan that no response of a run was about, by id. Random sequences can verify a part of some
 * requirements with other fixtures.
 */
export const missingFor = (settings: Settings, plan: Plan): Map<string, Set<Need>> =>
  missingIn(settings, plan, (lacking) => lacking.some((needs) => needs.length > 0));

/**
 * What is missing for the requirements of a plan. A random sequence sends what the fixtures allow, so the needs of a requirement are those of
 * its hand-written checks.
 * @param isMissing decides by what each hand-written test case lacks, for a requirement that sequences verify
 */
function missingIn(settings: Settings, plan: Plan, isMissing: (lacking: Need[][]) => boolean) {
  const missing = new Map<string, Set<Need>>();
  const note = (id: string, needs: Need[]): unknown => needs.length > 0 && missing.set(id, new Set(needs));
  const isModel = settings.profile === "model";
  const byHand = isModel ? planOf({ ...settings, profile: "full" }) : plan;
  const ofChecks = needsByRequirement(settings, byHand, idsOfCase);
  if (!isModel) for (const [id, all] of ofChecks) note(id, all.flat());
  for (const [id, all] of isModel ? needsByRequirement(settings, plan, verifiedBySequence) : []) {
    const own = ofChecks.get(id) ?? [];
    const ofAll = all.flat().filter((need) => all.every((needs) => needs.includes(need)));
    note(id, lacksEach(all) ? (ofAll.length > 0 ? ofAll : all.flat()) : isMissing(own) ? own.flat() : []);
  }
  return missing;
}

/** What each test case of a requirement lacks. */
function needsByRequirement(
  settings: Settings,
  plan: Plan,
  idsOf: (planned: PlannedCase) => readonly string[],
): Map<string, Need[][]> {
  const rows = plan.flatMap((planned) => {
    const needs = missingNeeds(settings, needsOfCase(planned.testCase));
    return idsOf(planned).map((id) => ({ id, needs }));
  });
  const byId = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byId].map(([id, own]) => [id, own.map(({ needs }) => needs)]));
}

/** The requirements of the check of a test case, and those that a response to its requests shows. */
const idsOfCase = ({ check: { ids }, testCase: { verifies = [] } }: PlannedCase): readonly string[] =>
  ids.length === 0 ? [] : [...ids, ...verifies];

/** Of a sequence that is sent for its responses, nothing else counts. */
const verifiedBySequence = ({ testCase, shows }: PlannedCase): readonly string[] =>
  shows === undefined ? (testCase.verifies ?? []) : [];

const lacksEach = (lacking: Need[][]): boolean => lacking.every((needs) => needs.length > 0);

/** The ids of the requirements of a plan that cannot be verified without a setting, by setting. */
export function requirementsByNeed(plan: Plan): Map<Need, Set<string>> {
  const rows = plan.flatMap((planned) =>
    needsOfCase(planned.testCase).map((need) => ({ need, ids: idsOfCase(planned) })),
  );
  const byNeed = Map.groupBy(rows, ({ need }) => need);
  return new Map([...byNeed].map(([need, own]) => [need, new Set(own.flatMap(({ ids }) => ids))]));
}
