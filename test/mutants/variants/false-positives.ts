import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import type { ObservedExchange } from "../../../contract/observe/subjects.ts";
import { type Plan, type PlannedCase, planOf } from "../../../contract/plan.ts";
import { demoSettings } from "../demo.ts";
import { runOnSandbox } from "../harness.ts";
import { combined } from "./combine.ts";
import type { Variant } from "./variant.ts";

/** Very large messages take most of the time and are the same on all variants. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

/** A profile without the largest messages. */
export const planFor = (profile: "core" | "full" | "model"): Plan =>
  planOf(demoSettings(profile)).filter((planned) => !isLarge(planned));

/** What a run on a correct server found. */
interface ServerResult {
  /** The number of test cases. */
  cases: number;
  /** By variant: the number of requests and mails that the server treats in another way than the sandbox. */
  differences: number[];
  /** By variant: whether any of them is visible. */
  isSeen: boolean[];
  falsePositives: string[];
}

/** Runs a plan on a correct server that has the behaviour of all variants; the first is nearest to the suite. */
export async function falsePositivesOn(
  variants: readonly Variant[],
  plan: Plan,
  settings = demoSettings(),
  onExchange?: (exchange: ObservedExchange) => void,
): Promise<ServerResult> {
  const { intercept, deliver, differences, isSeen } = combined(variants);
  const outcomes = await runOnSandbox({
    plans: [plan],
    settings,
    intercept,
    deliver,
    ...(onExchange && { onExchange }),
    sandbox: Object.assign({}, ...variants.map(({ sandbox = {} }) => sandbox)),
  });
  const skipped = plan.length - outcomes.length;
  const notRun = skipped > 0 ? [`${skipped} planned test cases did not run`] : [];
  const found = [...notRun, ...falsePositives(outcomes)];
  return { cases: outcomes.length, differences, isSeen, falsePositives: found };
}

/** Everything except passes. */
export const falsePositives = (outcomes: CaseOutcome[]): string[] => [
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
