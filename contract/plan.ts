import pLimit from "p-limit";
import { type OperationId, operations } from "../generated/operations.ts";
import { checksOfServer } from "./checks/all.ts";
import { sequenceChecks } from "./checks/sequences.ts";
import type { Check, Need, TestCase } from "./engine/check.ts";
import type { CaseOutcome } from "./engine/outcome.ts";
import type { Run } from "./engine/run.ts";
import { missingNeeds, needsOfCase, runCase } from "./engine/run-case.ts";
import { type Profile, productsOfProfile, type Settings } from "./engine/settings.ts";
import type { Tester } from "./engine/tester.ts";
import { checksOfMock } from "./mock/checks.ts";
import recorded from "./recorded.json" with { type: "json" };
import { type Grep, isSelected, ofResponses, operationsOfRequirement } from "./selection.ts";

export interface PlannedCase<Subject = Tester> {
  check: Check<Subject>;
  testCase: TestCase<Subject>;
  /** The requirements that it is sent for. Its verdict does not count for them: only what its responses show does, or an error. */
  shows?: readonly string[];
}

/** The test cases of a run, in their order. */
export type Plan = readonly PlannedCase[];

/**
 * The plan of a run: test cases that wait for the server start first. A test case that lacks a setting is not in it if the server would need another
 * operation, too.
 * @param grep only what it selects
 */
export function planOf(settings: Settings, grep?: Grep): Plan {
  const plan = allOf(settings, grep);
  const outside = outsideOf(settings, plan, grep);
  if (outside.size === 0) return plan;
  return plan.filter(({ check: { ids }, testCase }) => {
    const isOpen = ids.length === 0 || ids.some((id) => !outside.has(id));
    return isOpen || missingNeeds(settings, needsOfCase(testCase)).length === 0;
  });
}

/**
 * What a run cannot test although its operations are there, by id: the operations of `notImplemented` that each of its test cases needs. The
 * plan leaves out those about them; which others need them on their way is recorded.
 */
export function outsideOf(settings: Settings, plan: Plan, grep?: Grep): Map<string, Set<string>> {
  const { profile, notImplemented = [] } = settings;
  if (profile === "model" || profile === "mock" || notImplemented.length === 0) return new Map();
  const isMissing = (one: string): boolean => notImplemented.some((other) => other === one);
  const idsIn = (one: Plan) => new Set(one.flatMap(({ check }) => check.ids));
  const planned = idsIn(plan);
  const usual = allOf({ ...settings, notImplemented: [] }, grep);
  const names = new Set(usual.map(titleOf));
  const others = plan.filter((one) => !names.has(titleOf(one)));
  const byAnother = new Set(others.flatMap(({ check }) => check.ids));
  const { core, full } = recorded.operations as Record<string, Record<string, string>>;
  const sequences = plan.filter(({ check }) => check.ids.length === 0);
  const bySequences = new Set(sequences.flatMap(({ testCase }) => testCase.verifies ?? []));
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
    return isOpen || all.length === 0 ? [] : [[id, new Set(all.sort())] as const];
  });
  return new Map(rows);
}

const titleOf = ({ check, testCase }: PlannedCase): string => `${check.title}: ${testCase.title}`;

function allOf(settings: Settings, grep?: Grep): Plan {
  const { profile, notImplemented = [] } = settings;
  const without: readonly string[] = settings.without;
  const isLeftOut = (names: readonly string[] = []): boolean => names.some((name) => without.includes(name));
  const isMissing = (id: string): boolean => isOutside(operationsOfRequirement(id), notImplemented);
  // Setting them would verify nothing.
  const unused = users.filter(([, operations]) => isOutside(operations, notImplemented));
  const lacksUnused = (needs: readonly Need[]): boolean =>
    missingNeeds(settings, needs).some((need) => unused.some(([pattern]) => pattern.test(need)));
  const checks = checksOf(settings)
    .filter(({ ids, tags }) => !isLeftOut(tags) && (ids.length === 0 || !ids.every(isMissing)))
    .map((check) => {
      const usual = check.cases.filter(({ needs }) => !isLeftOut(needs));
      const left = usual.filter(
        ({ needs = [], operation, isThere }) =>
          (operation === undefined || !notImplemented.includes(operation)) &&
          isThere?.(settings) !== false &&
          !lacksUnused(needs),
      );
      const isInCore = ({ core }: TestCase): boolean => core === true;
      const lacksCore = profile === "core" && usual.some(isInCore) && !left.some(isInCore);
      const cases = lacksCore ? anotherOf(left, settings) : left;
      const ids = check.ids.filter((id) => !isMissing(id));
      const isWhole = cases.length + ids.length === check.cases.length + check.ids.length;
      return isWhole ? check : { ...check, ids, cases };
    });
  const shows = grep === undefined ? [] : ofResponses(profile, grep);
  const cases = selectedCases(checks, profile, shows.length > 0 ? undefined : grep).map(
    (one): PlannedCase => {
      const isOwn = grep === undefined || isSelected(grep, one.check, one.testCase);
      return isOwn ? one : { ...one, check: { ...one.check, ids: [] }, shows };
    },
  );
  const byPhase = Map.groupBy(cases, phaseOf);
  return phases.flatMap((phase) => byPhase.get(phase) ?? []);
}

const newsletter = Object.values(operations).filter(({ product }) => product === "newsletter");

/** Settings, and the only operations that use them. */
const users: [RegExp, string[]][] = [
  [/^(domains\..*|simulatorDomain|recipientDomain|suppressed)$/, ["sendEmail", "sendBatch"]],
  [/^(lists|fields|contacts)\./, newsletter.map(({ id }) => id)],
  [
    /^keys\.manageOnly$/,
    newsletter.filter(({ ability }) => ability === "newsletter:manage").map(({ id }) => id),
  ],
];

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

function casesOf<Subject>(check: Check<Subject>, profile: Profile): TestCase<Subject>[] {
  const wanted = check.cases.filter((testCase) => {
    // Those of a case without an operation are the operations that the requirements of its check are about.
    const own = testCase.operation ? [testCase.operation] : check.ids.flatMap(operationsOfRequirement);
    const products = own.map((id) => operations[id as OperationId].product);
    return (own.length === 0 ? [null] : products).some((one) => productsOfProfile(profile).includes(one));
  });
  if (profile !== "core") return wanted;
  const core = wanted.filter((testCase) => testCase.core === true);
  return core.length > 0 || wanted.some((testCase) => testCase.core === false) ? core : wanted.slice(0, 1);
}

/** Whether a requirement is about operations that the server does not have yet, and no others. */
export const isOutside = (operations: readonly string[], notImplemented: readonly string[]): boolean =>
  operations.length > 0 && operations.every((one) => notImplemented.includes(one));

const usualConcurrency = 16;

/**
 * Runs all test cases of a plan.
 * @param onOutcome called with each outcome as it comes, of which a test case can have several; once it has returned false, no further one starts
 */
export async function runPlan(
  run: Run,
  plan: Plan,
  onOutcome: (outcome: CaseOutcome) => boolean = () => true,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  let isStopped = false;
  const runPlanned = async ({ check, testCase, shows }: PlannedCase): Promise<void> => {
    if (isStopped) return;
    for (const found of await runCase(run, check, testCase)) {
      // What a test case asserts that is sent for its responses does not count.
      const own = found.verdict === "error" ? { ids: [...(shows ?? [])] } : { ids: [], isOutside: true };
      const outcome = shows === undefined ? found : { ...found, ...own };
      outcomes.push(outcome);
      if (!onOutcome(outcome)) isStopped = true;
    }
  };
  await pLimit(usualConcurrency).map(plan.filter(isConcurrent), runPlanned);
  for (const planned of plan) if (!isConcurrent(planned)) await runPlanned(planned);
  return outcomes;
}
