import pLimit from "p-limit";
import type { Plan, PlannedCase } from "../plan.ts";
import type { CaseOutcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import { runCase } from "./run-case.ts";

/** How many test cases run at the same time. */
const usualConcurrency = 16;

/**
 * Runs all test cases of a plan and reports each outcome as it comes; a test case can have several.
 * @param goesOn asked before each test case: no more are run once it is false
 */
export async function runPlan(
  run: Run,
  { concurrent, sequential }: Plan,
  onOutcome: (outcome: CaseOutcome) => void = () => {},
  goesOn: () => boolean = () => true,
  concurrency = usualConcurrency,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  const runPlanned = async ({ check, testCase }: PlannedCase): Promise<void> => {
    if (!goesOn()) return;
    for (const outcome of await runCase(run, check, testCase)) {
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  };
  await pLimit(concurrency).map(concurrent, runPlanned);
  for (const planned of sequential) await runPlanned(planned);
  return outcomes;
}
