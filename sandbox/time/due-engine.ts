// Imported, because users' tests may replace the global one.
import { setTimeout as wait } from "node:timers/promises";
import { dueSteps, type MailRules, type Outbound } from "../domain/due.ts";
import { ClosedError, type DueMessage, type Store, stateSetting } from "../domain/store.ts";
import type { SandboxClock } from "./clock.ts";

export interface DueEngineOptions {
  store: Store;
  clock: SandboxClock;
  rules: MailRules;
  outbound: Outbound;
  /** Gets the errors of the store; due messages are retried a second later. */
  onError: (error: unknown) => void;
}

/** How often to look for due messages, in milliseconds: other instances write them too. */
const pollInterval = 50;

/** How long after an error of the store to try again, in milliseconds. */
const retryPause = 1_000;

/** Messages in one run, a few milliseconds of work: requests are served between two runs. */
const slice = 250;

const hour = 60 * 60 * 1000;

/** Processes due messages at their time by the clock, from now on. */
export function startDueEngine({ store, clock, rules, outbound, onError }: DueEngineOptions) {
  let polling: Promise<void> | undefined;
  /** By a monotonic clock. */
  let pausedUntil = 0;
  let cleanedAt: number | undefined;
  let isStopped = false;
  /** Waits for the mail that is on its way. */
  const settled = async (): Promise<void> => {
    if (isStopped) throw new ClosedError();
    await outbound.settled();
  };
  /** Processes everything that is due until then. */
  const run = async (until: number): Promise<void> => {
    const state = store.setting(stateSetting);
    while (!isStopped) {
      const step = (message: DueMessage) => dueSteps(message, until, rules);
      const steps = await store.runDue({ until, limit: slice, step });
      outbound.send(steps.filter(({ counted }) => counted !== undefined).map(({ message }) => message));
      if (steps.length === 0) return;
      if (steps.length === slice) await wait(0);
      await store.readSettings();
      // After a reset, what is due belongs to another time.
      if (store.setting(stateSetting) !== state) return;
    }
  };
  /** At the start, because not every sandbox runs for an hour, and once an hour by the clock, which may be advanced or reset. */
  const clean = async (): Promise<void> => {
    const now = clock.now();
    if (cleanedAt !== undefined && Math.abs(now - cleanedAt) < hour) return;
    cleanedAt = now;
    await store.forget(now);
  };
  const runIfDue = async (): Promise<void> => {
    await store.readSettings();
    const dueAt = await store.nextDue();
    if (dueAt !== null && dueAt <= clock.now()) await run(clock.now());
    await clean();
  };
  const poll = (): void => {
    if (polling !== undefined || performance.now() < pausedUntil) return;
    polling = runIfDue()
      .catch((error) => {
        pausedUntil = performance.now() + retryPause;
        onError(error);
      })
      .finally(() => {
        polling = undefined;
      });
  };
  clock.onAdvance({
    before: settled,
    runDue: async (target) => {
      await run(target);
      // An advance includes the mail that it sends.
      await settled();
      await clean();
    },
  });
  const timer = setInterval(poll, pollInterval);
  // In a page, where no timer keeps anything open, it is a number.
  timer.unref?.();
  poll();
  return {
    /** Processes nothing more. Resolves when the current run has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await polling;
    },
  };
}
