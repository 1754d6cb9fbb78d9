import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { runOnSandbox } from "../harness.ts";
import { demoSettings } from "../rig/demo.ts";
import type { Variant } from "./variant.ts";

/** Very large messages take most of the time and are the same on all variants. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** A profile without the largest messages. */
export function planFor(profile: "core" | "full"): Plan {
  const { concurrent, sequential } = planOf(demoSettings(profile));
  const small = (cases: PlannedCase[]): PlannedCase[] => cases.filter((planned) => !isLarge(planned));
  return { concurrent: small(concurrent), sequential: small(sequential) };
}

/** Runs a plan on a correct server: the number of test cases, and every false positive. */
export async function falsePositivesOn(
  { intercept, sandbox }: Variant,
  plan: Plan,
): Promise<{ cases: number; falsePositives: string[] }> {
  const outcomes = await runOnSandbox({
    plans: [plan],
    ...(intercept === undefined ? {} : { intercept }),
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  return { cases: outcomes.length, falsePositives: falsePositives(outcomes) };
}

/** Everything except passes. */
const falsePositives = (outcomes: CaseOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, check, title, verdict, reason, failure }) => {
      const why = failure === undefined ? reason : `expected ${failure.expected}, got ${failure.found}`;
      return `${verdict}: ${ids.join(" ")} ${check} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ responseChecks }) =>
    responseChecks.flatMap(({ ids, title, failures }) =>
      failures.map(({ expected, found }) => `${ids.join(" ")} ${title}: expected ${expected}, got ${found}`),
    ),
  ),
];
