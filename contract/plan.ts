import pLimit from "p-limit";
import { type OperationId, operations } from "../generated/operations.ts";
import { checksOfServer } from "./checks/all.ts";
import { sequenceChecks } from "./checks/sequences.ts";
import type { Check, Need, TestCase } from "./engine/check.ts";
import type { CaseOutcome } from "./engine/outcome.ts";
import type { Run } from "./engine/run.ts";
import { missingNeeds, needsOfCase, runCase } from "./engine/run-case.ts";
import { isOptionalSetting, type Profile, productsOfProfile, type Settings } from "./engine/settings.ts";
import type { Tester } from "./engine/tester.ts";
import { checksOfMock } from "./mock/checks.ts";
import recorded from "./recorded.json" with { type: "json" };
import { type Grep, isSelected, operationsOfRequirement } from "./selection.ts";

export interface PlannedCase<Subject = Tester> {
  check: Check<Subject>;
  testCase: TestCase<Subject>;
}

/** The test cases of a run, in their order. */
export type Plan = readonly PlannedCase[];

/**
 * The plan of a run: test cases that wait for the server start first.
 * @param grep only what it selects
 */
export function planOf(settings: Settings, grep?: Grep): Plan {
  const { profile, notImplemented = [] } = settings;
  const without: readonly string[] = settings.without;
  const isLeftOut = (names: readonly string[] = []): boolean => names.some((name) => without.includes(name));
  const isMissing = (id: string): boolean => isOutside(operationsOfRequirement(id), notImplemented);
  // Setting them would verify nothing.
  const lacksSends = (needs: readonly Need[]): boolean =>
    isOutside(["sendEmail", "sendBatch"], notImplemented) &&
    missingNeeds(settings, needs).some((need) => ofSends.test(need));
  const checks = checksOf(settings)
    .filter(({ ids, tags }) => !isLeftOut(tags) && (ids.length === 0 || !ids.every(isMissing)))
    .map((check) => {
      const usual = check.cases.filter(({ needs }) => !isLeftOut(needs));
      const left = usual.filter(
        ({ needs = [], operation, isThere }) =>
          (operation === undefined || !notImplemented.includes(operation)) &&
          isThere?.(settings) !== false &&
          !lacksSends(needs),
      );
      const isInCore = ({ core }: TestCase): boolean => core === true;
      const lacksCore = profile === "core" && usual.some(isInCore) && !left.some(isInCore);
      const cases = lacksCore ? anotherOf(left, settings) : left;
      const ids = check.ids.filter((id) => !isMissing(id));
      const isWhole = cases.length + ids.length === check.cases.length + check.ids.length;
      return isWhole ? check : { ...check, ids, cases };
    });
  const byPhase = Map.groupBy(selectedCases(checks, profile, grep), phaseOf);
  return phases.flatMap((phase) => byPhase.get(phase) ?? []);
}

/** Settings that only sends use. */
const ofSends = /^(domains\..*|simulatorDomain|recipientDomain|suppressed)$/;

/** In place of test cases of `core` that need other operations: one of those that are left, if possible one that lacks no setting. */
function anotherOf(left: TestCase[], settings: Settings): TestCase[] {
  const isAble = (one: TestCase): boolean => missingNeeds(settings, needsOfCase(one)).length === 0;
  const another = left.find(isAble) ?? left[0];
  return another === undefined ? [] : [{ ...another, core: true }];
}

/** Test cases of the first two run at the same time, those of the others one by one after them. */
const phases = ["waiting", "concurrent", "alone", "clock", "burst"] as const;

function phaseOf({ check: { tags, alone, waits } }: PlannedCase): (typeof phases)[number] {
  const [last] = (["burst", "clock"] as const).filter((tag) => tags.includes(tag));
  return last ?? (alone ? "alone" : waits ? "waiting" : "concurrent");
}

/** Whether a test case runs at the same time as others. */
export const isConcurrent = (planned: PlannedCase): boolean =>
  ["waiting", "concurrent"].includes(phaseOf(planned));

/**
 * The cases of checks that belong to a profile.
 * @param grep only what it selects
 */
export const selectedCases = <Subject>(checks: readonly Check<Subject>[], profile: Profile, grep?: Grep) =>
  checks
    .flatMap((check) => casesOf(check, profile).map((testCase) => ({ check, testCase })))
    .filter(({ check, testCase }) => grep === undefined || isSelected(grep, check, testCase));

function checksOf(settings: Pick<Settings, "profile" | "fixtures">): readonly Check[] {
  if (settings.profile === "model") return sequenceChecks;
  return settings.profile === "mock" ? checksOfMock() : checksOfServer(settings);
}

/**
 * The ids of the requirements that a run can verify on a server with every fixture: its total. A complete run includes those that
 * only response checks verify.
 */
export function requirementsOf(settings: Settings, plan: Plan, grep?: Grep): Set<string> {
  const { profile, without, sequences, notImplemented = [] } = settings;
  // Fewer sequences, or others, need not show all that the usual ones do.
  const isUsual = profile !== "model" || sequences === undefined;
  const isComplete = grep === undefined && without.every(isOptionalSetting) && isUsual;
  const ofResponses = isComplete ? recorded.profiles[profile].responseChecks.split(" ") : [];
  // In other profiles than `model`, other checks verify what sequences do.
  const isBySequences = profile === "model" && isUsual;
  const ofSequences = isBySequences ? plan.flatMap(({ testCase }) => testCase.verifies ?? []) : [];
  const all = [...plan.flatMap(({ check }) => check.ids), ...ofSequences, ...ofResponses];
  const not = outsideOf(settings, plan, grep);
  return new Set(all.filter((id) => !not.has(id) && !isOutside(operationsOfRequirement(id), notImplemented)));
}

/**
 * What a run cannot test although its operations are there, by id: the operations of `notImplemented` that each of its test cases needs. The
 * plan leaves out those about them; which others need them on their way is recorded.
 */
export function outsideOf(settings: Settings, plan: Plan, grep?: Grep): Map<string, Set<string>> {
  const { profile, notImplemented = [] } = settings;
  if (profile === "model" || profile === "mock") return new Map();
  const isMissing = (one: string): boolean => notImplemented.some((other) => other === one);
  const idsIn = (one: Plan) => new Set(one.flatMap(({ check }) => check.ids));
  const planned = idsIn(plan);
  const usual = planOf({ ...settings, notImplemented: [] }, grep);
  const names = new Set(usual.map(titleOf));
  const others = plan.filter((one) => !names.has(titleOf(one)));
  const byAnother = new Set(others.flatMap(({ check }) => check.ids));
  const { core, full } = recorded.operations as Record<string, Record<string, string>>;
  const sequences = profile === "core" ? [] : Object.values(recorded.sequences);
  const bySequences = new Set(sequences.flatMap(({ verifies }) => verifies.split(" ")));
  const rows = [...idsIn(usual)].flatMap((id) => {
    if (isOutside(operationsOfRequirement(id), notImplemented) || bySequences.has(id)) return [];
    const casesIn = (table: Record<string, string> = {}): string[][] => {
      const cases = table[id]?.split(", ").map((text) => text.split("+")) ?? [];
      return cases.filter(([own = ""]) => !planned.has(id) || !isMissing(own));
    };
    // Without its usual test case, `core` has another one.
    const ofCore = profile === "core" && !byAnother.has(id) ? casesIn(core) : [];
    const lacking = (ofCore.length > 0 ? ofCore : casesIn(full)).map((needed) => needed.filter(isMissing));
    const all = lacking.flat();
    const isOpen = planned.has(id) && lacking.some((missing) => missing.length === 0);
    return isOpen || all.length === 0 ? [] : [[id, new Set(all)] as const];
  });
  return new Map(rows);
}

const titleOf = ({ check, testCase }: PlannedCase): string => `${check.title}: ${testCase.title}`;

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
  const ofSequences = needsByRequirement(settings, plan, ({ testCase }) => testCase.verifies ?? []);
  for (const [id, all] of isModel ? ofSequences : []) {
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

const lacksEach = (lacking: Need[][]): boolean => lacking.every((needs) => needs.length > 0);

function casesOf<Subject>(check: Check<Subject>, profile: Profile): TestCase<Subject>[] {
  const wanted = check.cases.filter((testCase) => {
    const tested =
      testCase.operation === undefined ? productsOf(check) : [operations[testCase.operation].product];
    return tested.some((product) => productsOfProfile(profile).includes(product));
  });
  if (profile !== "core") return wanted;
  const core = wanted.filter((testCase) => testCase.core === true);
  return core.length > 0 || wanted.some((testCase) => testCase.core === false) ? core : wanted.slice(0, 1);
}

/** Whether a requirement is about operations that the server does not have yet, and no others. */
export const isOutside = (operations: readonly string[], notImplemented: readonly string[]): boolean =>
  operations.length > 0 && operations.every((one) => notImplemented.includes(one));

/** The products of the operations that the requirements of a check are about. */
function productsOf({ ids }: Pick<Check, "ids">): (string | null)[] {
  const ofIds = ids.flatMap(operationsOfRequirement);
  return ofIds.length === 0 ? [null] : ofIds.map((id) => operations[id as OperationId].product);
}

const usualConcurrency = 16;

/**
 * Runs all test cases of a plan.
 * @param onOutcome called with each outcome as it comes, of which a test case can have several; once it has returned false, no further one begins
 */
export async function runPlan(
  run: Run,
  plan: Plan,
  onOutcome: (outcome: CaseOutcome) => boolean = () => true,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  let isStopped = false;
  const runPlanned = async ({ check, testCase }: PlannedCase): Promise<void> => {
    if (isStopped) return;
    for (const outcome of await runCase(run, check, testCase)) {
      outcomes.push(outcome);
      if (!onOutcome(outcome)) isStopped = true;
    }
  };
  await pLimit(usualConcurrency).map(plan.filter(isConcurrent), runPlanned);
  for (const planned of plan) if (!isConcurrent(planned)) await runPlanned(planned);
  return outcomes;
}

/** The ids of the requirements of a plan that cannot be verified without a setting, by setting. */
export function requirementsByNeed(plan: Plan): Map<Need, Set<string>> {
  const rows = plan.flatMap((planned) =>
    needsOfCase(planned.testCase).map((need) => ({ need, ids: idsOfCase(planned) })),
  );
  const byNeed = Map.groupBy(rows, ({ need }) => need);
  return new Map([...byNeed].map(([need, own]) => [need, new Set(own.flatMap(({ ids }) => ids))]));
}
