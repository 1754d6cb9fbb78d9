import { startVitest } from "vitest/node";
import { UserError } from "../lib/user-error.ts";
import packageJson from "../package.json" with { type: "json" };
import { secretsOf, strikerOf } from "../test/contract/engine/secrets.ts";
import type { Role, Settings } from "../test/contract/engine/settings.ts";
import type { ContractResult } from "../test/contract/report/result.ts";
import { summarize } from "../test/contract/report/summarize.ts";
import type { News } from "../test/contract/run.check.ts";
import { Collector } from "./contract/reporter.ts";
import { root } from "./paths.ts";

export interface ContractOptions {
  settings: Settings;
  /** Only checks are run whose ids and law it matches. */
  grep?: RegExp;
  /** Requirements that are known to fail. */
  expected?: readonly string[];
  /** The variables of the environment that keys come from, by role: reports name them in place of keys. */
  keyVariables?: Partial<Record<Role, string>>;
  /** Called after each trial. */
  onProgress?: (done: number, total: number) => void;
  /** Called when the run waits for the request limit: for how long, in milliseconds. */
  onWait?: (milliseconds: number) => void;
  /** Called while the run calls something again and again: what, and for how long at most, in milliseconds. */
  onPoll?: (what: string, milliseconds: number) => void;
  /** Called with what went wrong beside the checks, in words. */
  onNotice?: (text: string) => void;
}

/**
 * Holds a server against the document: runs the contract suite on it over HTTP, whatever the working directory.
 *
 * @throws Failure with exit status 2 when nothing was run, and Error when the suite itself could not run
 */
export async function runContract(options: ContractOptions): Promise<ContractResult> {
  const { settings, grep, expected, keyVariables, onProgress = () => {} } = options;
  const { onWait = () => {}, onPoll = () => {}, onNotice = () => {} } = options;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const collector = new Collector(onProgress);
  let waitedMilliseconds = 0;
  const waits = new BroadcastChannel(`email-api-contract ${settings.runId}`);
  waits.onmessage = ({ data }: { data: News }) => {
    if ("notice" in data) return onNotice(data.notice);
    if ("poll" in data) return onPoll(data.poll, data.left);
    waitedMilliseconds += data.wait;
    onWait(data.wait);
  };
  await run({ settings, channel: waits.name, ...(grep && { grep: grep.source }) }, collector);
  waits.close();
  const [failure] = collector.failures;
  if (failure !== undefined)
    throw new Error(`The suite could not run: ${strikerOf(secretsOf(settings))(failure)}`);
  if (collector.outcomes.length === 0)
    throw new UserError("No check of this profile matches.", {
      hint: "Give an id, such as SEND-9, or a word of a law; or another profile.",
      exitCode: 2,
    });
  const { baseUrl, profile, runId } = settings;
  const requests = collector.outcomes.reduce((sum, { requests: made }) => sum + made, 0);
  const durationMilliseconds = Math.round(performance.now() - began);
  const tool = { name: "email-api-contract", version: packageJson.version } as const;
  const format = 1;
  const circumstances = { format, tool, baseUrl, profile, runId, startedAt, durationMilliseconds } as const;
  const told = { ...circumstances, waitedMilliseconds, requests, ...(keyVariables && { keyVariables }) };
  return summarize(told, collector.outcomes, expected);
}

/** The file that makes the trials: in a clone its source, in the package what it was compiled to. */
const checks = import.meta.url.endsWith(".ts") ? "test/contract/run.check.ts" : "dist/contract.check.js";

/** Vitest, told everything here, so that no configuration of this or another project changes the run. */
async function run(
  contract: { settings: Settings; channel: string; grep?: string },
  collector: Collector,
): Promise<void> {
  const { exitCode } = process;
  const vitest = await startVitest([], {
    root,
    config: false,
    include: [checks],
    // The package lies below node_modules, where Vitest looks for no tests unless told to.
    exclude: [],
    watch: false,
    reporters: [collector],
    silent: true,
    provide: { contract },
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: 16,
    // Each call has a deadline of its own, and so has each wait for something to happen.
    testTimeout: 0,
    passWithNoTests: true,
  });
  await vitest.close();
  // Vitest takes the whole process for its own; here the caller decides what a failure means.
  process.exitCode = exitCode;
}
