import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { failedRequirements, runOnSandbox } from "../harness.ts";
import type { Mutant } from "../mutant.ts";
import { demoSettings } from "../rig/demo.ts";
import type { MutantOutcome } from "./killed.ts";

/**
 * How much of the suite runs on a mutant. `quick`: the checks of its requirement, then the profile `core`, until the
 * requirement fails. `core`: the same, to the end. `full`: the whole suite. `model`: the profile `model`, until any
 * requirement fails.
 */
export type Depth = "quick" | "core" | "full" | "model";

const full = planOf(demoSettings("full"));
const core = planOf(demoSettings("core"));
const ofModel: Settings = { ...demoSettings("model"), sequences: { shorten: false } };
const model = planOf(ofModel);

/** Runs a mutant of a new sandbox. */
export async function runMutant(fault: Mutant, depth: Depth): Promise<MutantOutcome> {
  const began = performance.now();
  const isOver = (outcome: CaseOutcome): boolean => {
    const failed = failedRequirements([outcome]);
    return depth === "model" ? failed.size > 0 : depth === "quick" && failed.has(fault.requirement);
  };
  const outcomes = await runOnSandbox({
    intercept: fault.intercept,
    plans: depth === "model" ? [model] : depth === "full" ? [full] : plansFor(fault.requirement),
    settings: depth === "model" ? ofModel : demoSettings(),
    onOutcome: (outcome) => !isOver(outcome),
  });
  return {
    requirement: fault.requirement,
    title: fault.title,
    failed: [...failedRequirements(outcomes)].sort(),
    errors: outcomes
      .filter(({ verdict }) => verdict === "error")
      .map(({ check, title, reason = "" }) => `${check} (${title}): ${reason}`),
    milliseconds: Math.round(performance.now() - began),
  };
}

/** Very large messages take most of the time and do not help with other requirements. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** First the checks of the requirement, then the rest of the profile core. */
function plansFor(id: string): Plan[] {
  const isOwn = ({ check }: PlannedCase): boolean => check.ids.includes(id);
  return [partOf(full, isOwn), partOf(core, (planned) => !isOwn(planned) && !isLarge(planned))];
}

const partOf = (
  { concurrent: together, sequential: oneByOne }: Plan,
  belongs: (planned: PlannedCase) => boolean,
): Plan => ({
  concurrent: together.filter(belongs),
  sequential: oneByOne.filter(belongs),
});
