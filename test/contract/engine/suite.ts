import type { Plan, PlannedCase } from "../plan.ts";
import type { TrialOutcome } from "./outcome.ts";
import type { Run } from "./run.ts";
import { tryOut } from "./try.ts";

/** How many trials are made side by side. */
export const sideBySide = 16;

/**
 * Makes all trials of a plan in this process, without a test runner; tells each outcome as it comes.
 * @param goesOn asked before each trial: no more are made once it is false
 */
export async function runPlan(
  run: Run,
  { together, oneByOne }: Plan,
  onOutcome: (outcome: TrialOutcome) => void = () => {},
  goesOn: () => boolean = () => true,
): Promise<TrialOutcome[]> {
  const outcomes: TrialOutcome[] = [];
  const make = async ({ check, testCase: trial }: PlannedCase): Promise<void> => {
    if (!goesOn()) return;
    const outcome = await tryOut(run, check, trial);
    outcomes.push(outcome);
    onOutcome(outcome);
  };
  const waiting = [...together];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await make(next);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  for (const planned of oneByOne) await make(planned);
  return outcomes;
}
