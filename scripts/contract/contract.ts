import { measureClockOffset } from "../../contract/clock-offset.ts";
import type { ExpectedFailure } from "../../contract/config/load.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { type Mailbox, Run, type RunOptions } from "../../contract/engine/run.ts";
import type { Role } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { openPorts } from "../../contract/mail/open.ts";
import { outsideOf, planOf, runPlan } from "../../contract/plan.ts";
import { findWindows, type Windows } from "../../contract/rate-windows.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { summarize } from "../../contract/report/summarize.ts";
import type { Grep } from "../../contract/selection.ts";
import { missingFor, requirementsOf, unverifiable } from "../../contract/verifiable.ts";
import { usageError } from "../../lib/user-error.ts";

export interface ContractOptions extends Omit<RunOptions, "mailbox"> {
  grep?: Grep | undefined;
  expected?: readonly ExpectedFailure[];
  /** The environment variables that keys come from, by role: reports name them in place of keys. */
  keyVariables?: Partial<Record<Role, string>>;
  /** A mailbox that is open already; default: that of the settings, which is closed at the end. */
  mailbox?: Mailbox | undefined;
  /** Called before the first test case, with what is known of the rate limit. */
  onStart?: (windows: Windows) => void;
  /** Called after each test case. */
  onProgress?: (done: number, total: number) => void;
  /** Called with each outcome; no further test case starts once it has returned false. */
  onOutcome?: (outcome: CaseOutcome) => boolean;
}

/**
 * Runs the contract suite against a server over HTTP.
 * @throws UserError with exit code 2 if no check matches
 */
export async function runContract(options: ContractOptions): Promise<ContractResult> {
  const { settings, grep, expected, keyVariables, onProgress, onOutcome = () => true } = options;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const plan = planOf(settings, grep);
  const total = plan.length;
  if (total === 0)
    throw usageError("no check of the profile is left", "Give another profile, or leave less out.");
  let waitedMilliseconds = 0;
  const onWait = (milliseconds: number): void => {
    waitedMilliseconds += milliseconds;
    options.onWait?.(milliseconds);
  };
  const { mailbox, close } = await openPorts(settings, options.mailbox);
  const run = new Run({ ...options, mailbox, onWait });
  let done = 0;
  const start = async (): Promise<CaseOutcome[]> => {
    await measureClockOffset(new Tester(run));
    const windows = await findWindows(new Tester(run), plan);
    options.onStart?.(windows);
    return runPlan(run, plan, (outcome: CaseOutcome): boolean => {
      // A test case can have several outcomes.
      done = Math.min(done + 1, total);
      onProgress?.(done, total);
      return onOutcome(outcome);
    });
  };
  const outcomes = await start().finally(close);
  const resetError = await run.reset().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const { baseUrl, implementation, profile, without, notImplemented = [], runId } = settings;
  const unanswered = run.attempts.unanswered();
  const all = [...requirementsOf(settings, plan, grep), ...(grep ? [] : unverifiable(settings, plan).keys())];
  const verified = new Set(outcomes.flatMap(({ ids }) => ids));
  const lacking = [...outsideOf(settings, plan, grep)].filter(([id]) => !verified.has(id));
  const outside = new Map([...lacking, ...run.outside]);
  const planned = new Set(all.filter((id) => !outside.has(id)));
  // Responses show more than what is selected, and a part of what is outside the run; of that, only failures are reported.
  const shown = new Set([...planned, ...verified]);
  const isShown = ({ ids, failures }: CaseOutcome["responseChecks"][number]): boolean =>
    failures.length > 0 || ids.some((id) => shown.has(id) || (grep === undefined && !outside.has(id)));
  return summarize({
    information: {
      baseUrl,
      ...(implementation && { implementation }),
      profile,
      ...(without.length > 0 && { without: [...without] }),
      ...(notImplemented.length > 0 && { notImplemented: [...notImplemented] }),
      ...(unanswered.length > 0 && { unanswered }),
      ...(resetError !== undefined && { resetError }),
      runId,
      ...(keyVariables && { keyVariables }),
      startedAt,
      durationMilliseconds: Math.round(performance.now() - began),
      waitedMilliseconds,
      requests: outcomes.reduce((sum, { requests }) => sum + requests, 0),
    },
    outcomes: outcomes.map((one) => ({ ...one, responseChecks: one.responseChecks.filter(isShown) })),
    expected,
    redact: run.redact,
    planned,
    missing: missingFor(settings, plan),
    levels: grep === undefined && settings.sequences === undefined ? levelsShownBy(profile) : [],
    outside,
  });
}
