import pLimit from "p-limit";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { type Plan, planOf, runPlan } from "../../contract/plan.ts";
import { settingsOfSandbox } from "../../scripts/contract/targets.ts";

/** What a run of the contract suite found. */
export interface SuiteResult {
  requests: number;
  passed: number;
  /** Checks that did not pass, with their verdicts. */
  others: string[];
}

/** In seconds. Only what is right counts here: other work may share the machine. */
const deadlines = { response: 300, delivery: 120, dispatch: 120 };

/** The sandbox has room for a few large bodies at once, and rejects more with 503. In characters. */
const largeBody = 1024 * 1024;

const oneLargeBody = pLimit(1);

const send: Fetch = (url, init) =>
  String(init.body ?? "").length > largeBody ? oneLargeBody(() => fetch(url, init)) : fetch(url, init);

/** Runs the whole contract suite against a sandbox with the demo accounts. */
export async function runSuite(url: string): Promise<SuiteResult> {
  const settings = { ...settingsOfSandbox(url), deadlines };
  const run = new Run({ settings, fetch: send });
  await measureClockOffset(new Tester(run));
  const outcomes = await outcomesOf(run, planOf(settings));
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

/** How often a test case is run again that is not verified: on a busy machine, requests leave the rate window in the middle of it. */
const furtherTries = 5;

async function outcomesOf(run: Run, plan: Plan, tries = furtherTries): Promise<CaseOutcome[]> {
  // No report shows the exchanges, and those of many runs take gigabytes.
  const forget = (outcome: CaseOutcome): boolean => {
    outcome.exchanges = [];
    return true;
  };
  const outcomes = await runPlan(run, plan, forget);
  const unverified = outcomes.filter(({ verdict }) => verdict === "not verified");
  if (unverified.length === 0 || tries === 0) return outcomes;
  const left = plan.filter(({ check, testCase }) =>
    unverified.some((outcome) => outcome.check === check.title && outcome.title === testCase.title),
  );
  const again: CaseOutcome[] = [];
  for (const planned of left) again.push(...(await outcomesOf(run, [planned], tries - 1)));
  return [...outcomes.filter((outcome) => !unverified.includes(outcome)), ...again];
}
