import { settingsOfSandbox } from "../../scripts/contract/targets.ts";
import { measureClockOffset } from "../contract/clock-offset.ts";
import { hooksOf } from "../contract/engine/hooks.ts";
import { Run } from "../contract/engine/run.ts";
import { runPlan } from "../contract/engine/run-plan.ts";
import { Tester } from "../contract/engine/tester.ts";
import { planOf } from "../contract/plan.ts";

/** What a run of the contract suite found. */
export interface SuiteResult {
  requests: number;
  passed: number;
  /** Checks that did not pass, with their verdicts. */
  others: string[];
}

/** In seconds. Only what is right counts here: many runs at once may share a busy machine. */
const deadlines = { response: 300, delivery: 120, dispatch: 120 };

/** Runs the whole contract suite against a sandbox with the demo accounts. */
export async function runSuite(url: string): Promise<SuiteResult> {
  const settings = { ...settingsOfSandbox(url), deadlines };
  const run = new Run({ settings, hooks: await hooksOf(settings) });
  await measureClockOffset(new Tester(run));
  const outcomes = await runPlan(run, planOf(settings), (outcome) => {
    // No report shows them, and the exchanges of many runs take gigabytes.
    outcome.exchanges = [];
  });
  const others = outcomes.filter(({ verdict }) => verdict !== "pass");
  return {
    requests: outcomes.reduce((sum, { requests }) => sum + requests, 0),
    passed: outcomes.length - others.length,
    others: others.map(
      ({ verdict, ids, check, title, reason, failure }) =>
        `${verdict}: ${ids.join(", ")} ${check}: ${title}: ${reason ?? failure?.found}`,
    ),
  };
}
