import { afterAll, inject, test } from "vitest";
import { hooksOf } from "./engine/hooks.ts";
import { Run } from "./engine/run.ts";
import type { Settings } from "./engine/settings.ts";
import { Tester } from "./engine/tester.ts";
import { tryOut } from "./engine/try.ts";
import { nameOf, type PlannedCase, planOf } from "./plan.ts";
import { learnTime } from "./server-time.ts";

/** What a run is told from outside. */
interface Given {
  settings: Settings;
  /** A regular expression: only checks are run whose ids and law it matches. */
  grep?: string;
  /** The channel on which the run tells its news. */
  channel: string;
}

/**
 * What a run tells besides its outcomes: a wait for the request limit, in milliseconds; what it calls again and again, for so long at
 * most; or something to know.
 */
export type News = { wait: number } | { poll: string; left: number } | { notice: string };

declare module "vitest" {
  interface ProvidedContext {
    contract: Given;
  }
}

const { settings, grep, channel } = inject("contract");
const waits = new BroadcastChannel(channel);
waits.unref();
const tell = (news: News): void => waits.postMessage(news);
const onWait = (wait: number): void => tell({ wait });
const onPoll = (poll: string, left: number): void => tell({ poll, left });
const run = new Run({ settings, hooks: await hooksOf(settings), onWait, onPoll });
await learnTime(new Tester(run));
const { together, oneByOne } = planOf(settings, grep === undefined ? undefined : new RegExp(grep));

for (const planned of together) test.concurrent(titleOf(planned), (context) => tried(planned, context.task));
for (const planned of oneByOne) test(titleOf(planned), (context) => tried(planned, context.task));

afterAll(async () => {
  await run.putBack().catch((error: unknown) => {
    const reason = run.strike(error instanceof Error ? error.message : String(error));
    tell({ notice: `The server was not put back to where it was before the run: ${reason}` });
  });
});

/** The outcome is what counts, and the reporter reads it there; the runner learns only whether to call it a failure. */
async function tried({ check, testCase: trial }: PlannedCase, task: { meta: object }): Promise<void> {
  const outcome = await tryOut(run, check, trial);
  Object.assign(task.meta, { outcome });
  if (outcome.verdict === "fail" || outcome.verdict === "error") throw new Error(outcome.verdict);
}

function titleOf({ check, testCase: trial }: PlannedCase): string {
  return trial.title === "" ? nameOf(check) : `${nameOf(check)}: ${trial.title}`;
}
