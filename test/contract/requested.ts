import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { requestName } from "../../contract/exchange.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";

/** The operations that a test case sends requests to. */
export const requestedIn = ({ exchanges }: CaseOutcome): Set<string> =>
  new Set(exchanges.flatMap(({ method, path }) => requestName({ method, path }).operation ?? []));

export const nameOf = ({ check, title }: Pick<CaseOutcome, "check" | "title">): string =>
  `${check}: ${title}`;

/** The test cases of a plan for which this holds. */
export const casesIn = (plan: Plan, isWanted: (name: string, planned: PlannedCase) => boolean): Plan =>
  plan.filter((one) => isWanted(nameOf({ check: one.check.title, title: one.testCase.title }), one));

let ofCore: Promise<Map<string, Set<string>>> | undefined;

async function requestedInCore(): Promise<Map<string, Set<string>>> {
  const settings = demoSettings("core");
  const outcomes = await runOnSandbox({ plans: [planOf(settings)], settings });
  return new Map(outcomes.map((one) => [nameOf(one), requestedIn(one)]));
}

/** The test cases of a plan of `core` that a change of an operation affects: those that send requests to it, and those that `core` has only without it. */
export async function casesWith(operation: string, plan: Plan): Promise<Plan> {
  ofCore ??= requestedInCore();
  const requested = await ofCore;
  return casesIn(plan, (name) => requested.get(name)?.has(operation) !== false);
}
