import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { runOnSandbox } from "../harness.ts";
import { demoSettings } from "../rig/demo.ts";
import type { Variant } from "./variant.ts";

/** Messages of dozens of megabytes take most of the time, and say nothing of any variant. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** What is tried on a correct server: a profile, but for the largest messages. */
export function planFor(profile: "core" | "full"): Plan {
  const { concurrent: together, sequential: oneByOne } = planOf(demoSettings(profile));
  const small = (trials: PlannedCase[]): PlannedCase[] => trials.filter((planned) => !isLarge(planned));
  return { concurrent: small(together), sequential: small(oneByOne) };
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
const alarms = (outcomes: CaseOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, check: law, title, verdict, reason, failure: breach }) => {
      const why = breach === undefined ? reason : `expected ${breach.expected}, found ${breach.found}`;
      return `${verdict}: ${ids.join(" ")} ${law} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ responseChecks: wire }) =>
    wire.flatMap(({ ids, title: law, failures: breaches }) =>
      breaches.map(({ expected, found }) => `${ids.join(" ")} ${law}: expected ${expected}, found ${found}`),
    ),
  ),
];
