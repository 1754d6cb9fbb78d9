import type { TrialOutcome } from "../../contract/engine/outcome.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { runOnSandbox } from "../harness.ts";
import { demoSettings } from "../rig/demo.ts";
import type { Variant } from "./variant.ts";

/** Messages of dozens of megabytes take most of the time, and say nothing of any variant. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** What is tried on a correct server: a profile, but for the largest messages. */
export function planFor(profile: "core" | "full"): Plan {
  const { together, oneByOne } = planOf(demoSettings(profile));
  const small = (trials: PlannedCase[]): PlannedCase[] => trials.filter((planned) => !isLarge(planned));
  return { together: small(together), oneByOne: small(oneByOne) };
}

/** Makes the trials of a plan on a correct server: how many there were, and every alarm, in words. */
export async function falsePositivesOn(
  { intercept, sandbox }: Variant,
  plan: Plan,
): Promise<{ trials: number; alarms: string[] }> {
  const outcomes = await runOnSandbox({
    plans: [plan],
    ...(intercept === undefined ? {} : { intercept }),
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  return { trials: outcomes.length, alarms: alarms(outcomes) };
}

/** Everything but passes. */
const alarms = (outcomes: TrialOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, law, title, verdict, reason, breach }) => {
      const why = breach === undefined ? reason : `expected ${breach.expected}, found ${breach.found}`;
      return `${verdict}: ${ids.join(" ")} ${law} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ wire }) =>
    wire.flatMap(({ ids, law, breaches }) =>
      breaches.map(({ expected, found }) => `${ids.join(" ")} ${law}: expected ${expected}, found ${found}`),
    ),
  ),
];
