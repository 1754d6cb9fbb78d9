// Imported, because users' tests may replace the global one.
import { setTimeout as wait } from "node:timers/promises";
import { dueSteps, type MailRules, noOutbound, type Outbound } from "../domain/due.ts";
import { ClosedError, type Store, stateSetting } from "../domain/store.ts";
import type { SandboxClock } from "./clock.ts";

export interface DueEngineOptions {
  store: Store;
  clock: SandboxClock;
  rules: MailRules;
  /** Where sent messages go. Default: nowhere. */
  outbound?: Outbound;
  /** Gets the errors of the store; due messages are retried a second later. */
  onError?: (error: unknown) => void;
}

/** How often to look for due messages, in milliseconds: other instances write them too. */
const pollInterval = 50;

/** How long after an error of the store to try again, in milliseconds. */
const retryPause = 1_000;

/** Messages in one run, a few milliseconds of work: requests are served between two runs. */
const slice = 250;

const hour = 60 * 60 * 1000;

/** Processes due messages at their time by the clock, from its creation on. */
export class DueEngine {
  readonly #options: DueEngineOptions;
  readonly #outbound: Outbound;
  readonly #timer: NodeJS.Timeout;
  #polling: Promise<void> | undefined;
  /** By a monotonic clock. */
  #pausedUntil = 0;
  #cleanedAt: number | undefined;
  #stopped = false;

  constructor(options: DueEngineOptions) {
    this.#options = options;
    this.#outbound = options.outbound ?? noOutbound;
    options.clock.onAdvance({
      before: () => this.#settled(),
      runDue: async (target) => {
        await this.#run(target);
        // An advance includes the mail that it sends.
        await this.#settled();
        await this.#clean();
      },
    });
    this.#timer = setInterval(() => this.#poll(), pollInterval).unref();
    this.#poll();
  }

  /** Processes nothing more. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#polling;
  }

  #poll(): void {
    if (this.#polling !== undefined || performance.now() < this.#pausedUntil) return;
    this.#polling = this.#runIfDue()
      .catch((error) => {
        this.#pausedUntil = performance.now() + retryPause;
        this.#options.onError?.(error);
      })
      .finally(() => {
        this.#polling = undefined;
      });
  }

  async #runIfDue(): Promise<void> {
    const { store, clock } = this.#options;
    await store.readSettings();
    const dueAt = await store.nextDue();
    if (dueAt !== null && dueAt <= clock.now()) await this.#run(clock.now());
    await this.#clean();
  }

  /** Waits for the mail that is on its way. */
  async #settled(): Promise<void> {
    if (this.#stopped) throw new ClosedError();
    await this.#outbound.settled();
  }

  /** Processes everything that is due until then. */
  async #run(until: number): Promise<void> {
    const { store, rules } = this.#options;
    const state = store.setting(stateSetting);
    while (!this.#stopped) {
      const steps = await store.runDue({
        ...{ until, limit: slice },
        step: (message) => dueSteps(message, until, rules),
      });
      this.#outbound.send(steps.filter(({ counted }) => counted !== undefined).map(({ message }) => message));
      if (steps.length === 0) return;
      if (steps.length === slice) await wait(0);
      await store.readSettings();
      // After a reset, what is due belongs to another time.
      if (store.setting(stateSetting) !== state) return;
    }
  }

  /** At the start, because not every sandbox runs for an hour, and once an hour by the clock, which may be advanced or reset. */
  async #clean(): Promise<void> {
    const { clock, store } = this.#options;
    const now = clock.now();
    if (this.#cleanedAt !== undefined && Math.abs(now - this.#cleanedAt) < hour) return;
    this.#cleanedAt = now;
    await store.forget(now);
  }
}
