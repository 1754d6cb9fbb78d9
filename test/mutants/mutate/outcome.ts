import { sequenceChecks } from "../../../contract/checks/sequences.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import type { Settings } from "../../../contract/engine/settings.ts";
import { type Plan, type PlannedCase, planOf } from "../../../contract/plan.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { requirements } from "../../../generated/requirements.ts";
import { demoSettings } from "../demo.ts";
import { runOnSandbox } from "../harness.ts";
import type { Mutant, RequirementId } from "../mutant.ts";
import { errorsIn, failedRequirements, type Killer, killersIn, type MutantOutcome } from "./killed.ts";

/** The result of the suite on a mutant of a server. */
export interface ServerOutcome extends MutantOutcome {
  killers: ServerKiller[];
}

interface ServerKiller extends Killer {
  /** Whether it is one of random sequences. */
  isModel: boolean;
}

/**
 * How much of the suite runs on a mutant. `own`: the checks of its requirement, then the random sequences of the
 * profile `full`, then the other checks, until its requirement fails. `matrix`: the same with the sequences last, each of the three to its end. `full`: all of them. `model`: the sequences of the profile `model` with the products that its requirement
 * is about, until any requirement fails.
 */
export type Depth = "own" | "matrix" | "full" | "model";

const settingsFor = (profile: "full" | "model"): Settings => ({
  ...demoSettings(profile),
  // Selected sequences are few: a busy machine takes longer, but must not skip any.
  sequences: { shorten: false, failures: 1, ...(profile === "full" && { seconds: 600 }) },
});
const full = planOf(settingsFor("full"));
const model = planOf(settingsFor("model"));

/** Runs a mutant of a new sandbox. */
export async function runMutant(
  { intercept, deliver, requirement, title }: Mutant,
  depth: Depth,
): Promise<ServerOutcome> {
  const began = performance.now();
  const run = (plans: readonly Plan[], isOver: (failed: Set<string>) => boolean) =>
    runOnSandbox({
      intercept,
      deliver,
      plans,
      settings: settingsFor(depth === "model" ? "model" : "full"),
      onOutcome: (outcome) => !isOver(failedRequirements([outcome])),
    });
  const isKilled = (failed: Set<string>): boolean => failed.has(requirement);
  const { own, others, sequences } = plansFor(requirement);
  const parts: Record<Depth, () => Promise<CaseOutcome[]>> = {
    own: () => run([own, sequences, others], isKilled),
    matrix: async () => {
      for (const plan of [own, others, sequences]) {
        const outcomes = await run([plan], () => false);
        if (isKilled(failedRequirements(outcomes))) return outcomes;
      }
      return [];
    },
    full: () => run([full], () => false),
    model: () => run([sequencesFor(requirement)], (failed) => failed.size > 0),
  };
  const outcomes = await parts[depth]();
  return {
    requirement,
    title,
    killers: killersIn(outcomes).map((one) => ({ ...one, isModel: titlesOfModel.has(one.check) })),
    errors: errorsIn(outcomes),
    milliseconds: Math.round(performance.now() - began),
  };
}

const titlesOfModel = new Set(sequenceChecks.map(({ title }) => title));

/** Very large messages take most of the time and do not help with other requirements. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");
const isSequence = ({ check }: PlannedCase): boolean => sequenceChecks.includes(check);

/** The checks of a requirement, the others, and the random sequences. */
function plansFor(id: string): Record<"own" | "others" | "sequences", Plan> {
  const isOwn = ({ check }: PlannedCase): boolean => check.ids.includes(id);
  return {
    own: full.filter(isOwn),
    others: full.filter((planned) => !(isOwn(planned) || isLarge(planned) || isSequence(planned))),
    sequences: full.filter(isSequence),
  };
}

/** The sequences with the products that a requirement is about. */
const sequencesFor = (id: RequirementId): Plan =>
  model.filter(
    ({ testCase: { operation } }) =>
      operation === undefined || isAbout(id, operations[operation].product ?? null),
  );

/** Whether a requirement is about operations of a product; one without operations is about all. */
export function isAbout(id: RequirementId, product: string | null): boolean {
  const ids: readonly OperationId[] = requirements[id].operations;
  return ids.length === 0 || ids.some((operation) => operations[operation].product === product);
}
