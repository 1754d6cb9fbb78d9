import { inject, test } from "vitest";
import { hooksOf } from "./engine/hooks.ts";
import { Run } from "./engine/run.ts";
import type { Settings } from "./engine/settings.ts";
import { tryOut } from "./engine/try.ts";
import { nameOf, type PlannedTrial, planOf } from "./plan.ts";

/** What a run is told from outside. */
interface Given {
  settings: Settings;
  /** A regular expression: only checks are run whose ids and law it matches. */
  grep?: string;
  /** The channel on which waits for the request limit are told. */
  channel: string;
}

declare module "vitest" {
  interface ProvidedContext {
    contract: Given;
  }
}

const { settings, grep, channel } = inject("contract");
const waits = new BroadcastChannel(channel);
waits.unref();
const onWait = (milliseconds: number): void => waits.postMessage(milliseconds);
const run = new Run({ settings, hooks: await hooksOf(settings), onWait });
const { together, oneByOne } = planOf(settings, grep === undefined ? undefined : new RegExp(grep));

for (const planned of together) test.concurrent(titleOf(planned), (context) => tried(planned, context.task));
for (const planned of oneByOne) test(titleOf(planned), (context) => tried(planned, context.task));

/** The outcome is what counts, and the reporter reads it there; the runner learns only whether to call it a failure. */
async function tried({ check, trial }: PlannedTrial, task: { meta: object }): Promise<void> {
  const outcome = await tryOut(run, check, trial);
  Object.assign(task.meta, { outcome });
  if (outcome.verdict === "fail" || outcome.verdict === "error") throw new Error(outcome.verdict);
}

function titleOf({ check, trial }: PlannedTrial): string {
  return trial.title === "" ? nameOf(check) : `${nameOf(check)}: ${trial.title}`;
}
