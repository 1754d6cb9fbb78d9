import type { ClientTester } from "../../../contract/client-suite/engine/client-tester.ts";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import type { PlannedCase } from "../../../contract/plan.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { errorsIn, failedRequirements, killersIn, type MutantOutcome } from "../../mutants/mutate/killed.ts";
import type { ClientMutant } from "../client-mutant.ts";
import { inProcessDriver } from "../in-process/driver.ts";

/**
 * How much of the suite runs on a mutant. `own`: the checks of its requirement, then the others, until its requirement fails.
 * `full`: all of them.
 */
export type Depth = "own" | "full";

const all = clientCases("full");

/** Runs the suite on a mutant. */
export async function runMutant(
  { requirement, title, create }: ClientMutant,
  depth: Depth,
): Promise<MutantOutcome> {
  const began = performance.now();
  let shouldContinue = true;
  const outcomes: CaseOutcome[] = [];
  for (const cases of depth === "full" ? [all] : ownFirst(requirement)) {
    if (!shouldContinue || cases.length === 0) continue;
    const run = await runClient({
      cases,
      startDriver: inProcessDriver(create),
      startService: startSandboxService,
      onOutcome: (outcome) => {
        if (depth === "own" && failedRequirements([outcome]).has(requirement)) shouldContinue = false;
      },
      shouldContinue: () => shouldContinue,
    });
    outcomes.push(...run.outcomes);
  }
  return {
    requirement,
    title,
    killers: killersIn(outcomes),
    errors: errorsIn(outcomes),
    milliseconds: Math.round(performance.now() - began),
  };
}

const isOf =
  (id: string) =>
  ({ check }: PlannedCase<ClientTester>): boolean =>
    check.ids.includes(id);

const waits = ({ check }: PlannedCase<ClientTester>): boolean => check.waits;

/** The cases of a requirement, those that measure times, and the others. */
function ownFirst(id: string): PlannedCase<ClientTester>[][] {
  const others = all.filter((planned) => !isOf(id)(planned));
  return [all.filter(isOf(id)), others.filter(waits), others.filter((planned) => !waits(planned))];
}

/** Whether the checks of the violated requirement measure times. */
export const isTimed = ({ requirement }: ClientMutant): boolean => all.filter(isOf(requirement)).some(waits);
