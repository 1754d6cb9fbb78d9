import pLimit from "p-limit";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import { hooksOf } from "../../contract/engine/hooks.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { type Plan, plannedCases, planOf, runPlan } from "../../contract/plan.ts";
import { settingsOfSandbox } from "../../scripts/contract/targets.ts";

/** What a run of the contract suite found. */
export interface SuiteResult {
  requests: number;
  passed: number;
  /** Checks that did not pass, with their verdicts. */
  others: string[];
}

/** In seconds. Only what is right counts here: many runs at once may share a busy machine. */
const deadlines = { response: 300, delivery: 120, dispatch: 120 };

/** The sandbox has room for a few large bodies at once, and rejects more with 503. In characters. */
const largeBody = 1024 * 1024;

const oneLargeBody = pLimit(1);

const send: Fetch = (url, init) =>
  String(init.body ?? "").length > largeBody ? oneLargeBody(() => fetch(url, init)) : fetch(url, init);

interface RunOptions {
  /** How many test cases run at the same time; default: as many as usual. */
  concurrency?: number;
  /** Where in its plan it starts, from 0 to 1: many runs in step would all send their largest bodies at once. */
  start?: number;
}

/** Runs the whole contract suite against a sandbox with the demo accounts. */
export async function runSuite(
  url: string,
  { concurrency, start = 0 }: RunOptions = {},
): Promise<SuiteResult> {
  const settings = { ...settingsOfSandbox(url), deadlines };
  const run = new Run({ settings, hooks: await hooksOf(settings), fetch: send });
  await measureClockOffset(new Tester(run));
  const outcomes = await outcomesOf(run, startedAt(planOf(settings), start), concurrency);
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

function startedAt({ concurrent, sequential }: Plan, start: number): Plan {
  const first = Math.floor(start * concurrent.length);
  return { concurrent: [...concurrent.slice(first), ...concurrent.slice(0, first)], sequential };
}

/** How often a test case is run again that is not verified: on a busy machine, requests leave the rate window in the middle of it. */
const furtherTries = 5;

async function outcomesOf(
  run: Run,
  plan: Plan,
  concurrency?: number,
  tries = furtherTries,
): Promise<CaseOutcome[]> {
  // No report shows the exchanges, and those of many runs take gigabytes.
  const forget = (outcome: CaseOutcome): void => {
    outcome.exchanges = [];
  };
  const outcomes = await runPlan(run, plan, forget, () => true, concurrency);
  const unverified = outcomes.filter(({ verdict }) => verdict === "not verified");
  if (unverified.length === 0 || tries === 0) return outcomes;
  const sequential = plannedCases(plan).filter(({ check, testCase }) =>
    unverified.some((outcome) => outcome.check === check.title && outcome.title === testCase.title),
  );
  const again = await outcomesOf(run, { concurrent: [], sequential }, concurrency, tries - 1);
  return [...outcomes.filter((outcome) => !unverified.includes(outcome)), ...again];
}
