import { dueStep, type MailRules } from "../domain/due.ts";
import { noOutbound, type Outbound } from "../domain/outbound.ts";
import { ClosedError, type DueMessage, type DueStep, type Store } from "../domain/store.ts";
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

/** Steps in one run, a few milliseconds of work: requests are served between two runs. */
const slice = 250;

/** The shortest time between two runs of a running clock, in milliseconds: under load one run then does the work of many. */
const pause = 10;

/** How long after an error of the store to try again, in milliseconds. */
const retryPause = 1_000;

/** The longest timer in Node, in milliseconds. */
const longest = 2 ** 31 - 1;

const hour = 60 * 60 * 1000;

/** Processes due messages at their time by the clock, from its creation on. A single timer waits for the next one. */
export class DueEngine {
  readonly #options: DueEngineOptions;
  readonly #outbound: Outbound;
  readonly #cleaning: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  /** The real time that the timer waits for, by a monotonic clock. */
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #stopped = false;
  #cleanedAt: number;

  constructor(options: DueEngineOptions) {
    this.#options = options;
    this.#outbound = options.outbound ?? noOutbound;
    this.#cleanedAt = options.clock.now();
    options.clock.onAdvance((target) => this.#runTo(target));
    options.store.watchDue((dueAt) => this.#arm(dueAt));
    this.#cleaning = setInterval(() => this.#attempt(() => this.#clean()), hour).unref();
    // At the start too: not every sandbox runs for an hour.
    this.#attempt(() => this.#clean());
    this.#attempt(() => this.#armNext());
  }

  /** Processes nothing more. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#cleaning);
    await this.#running;
  }

  /** Processes everything that is due until `target`, and moves the clock along. */
  async #runTo(target: number): Promise<void> {
    if (this.#stopped) throw new ClosedError();
    // An advance includes the mail that is on its way, and what it sends.
    await this.#outbound.settled();
    await this.#runSlices(() => target);
    await this.#outbound.settled();
    const { clock } = this.#options;
    clock.reach(target);
    // After a reset the clock may stand before the last cleaning.
    if (Math.abs(target - this.#cleanedAt) >= hour) await this.#clean();
    // What the timer waited for has been processed, or is nearer now.
    clearTimeout(this.#timer);
    this.#armedFor = Number.POSITIVE_INFINITY;
    await this.#armNext();
  }

  async #runSlices(until: () => number): Promise<void> {
    const { store } = this.#options;
    const { generation } = store;
    // After a reset, what is due belongs to another time.
    for (let more = true; more && !this.#stopped && generation === store.generation; )
      more = (await this.#runSlice(until())) === slice;
  }

  /** @returns the number of steps */
  async #runSlice(until: number): Promise<number> {
    const { store, clock, rules } = this.#options;
    const batch = this.#outbound.createBatch();
    const step = (message: DueMessage): DueStep => {
      const step = dueStep(message, clock.reach(message.dueAt ?? 0), rules);
      if (message.status !== "sent") batch.add(step.message);
      return step;
    };
    // The clock in the same commit as the steps: after a crash it stands where they happened.
    const setting = clock.progress();
    try {
      const start = (): void => batch.rollback();
      const run = {
        until,
        limit: slice,
        start,
        step,
        complete: clock.advancing,
        ...(setting && { setting }),
      };
      const steps = await store.runDue(run);
      batch.commit();
      return steps;
    } catch (error) {
      batch.rollback();
      throw error;
    }
  }

  #arm(dueAt: number): void {
    const { clock } = this.#options;
    const wait = dueAt - clock.now();
    // A frozen clock moves only when it is advanced.
    if (clock.frozen && wait > 0) return;
    this.#armIn(wait);
  }

  /** @param wait in milliseconds of real time, whatever the clock does */
  #armIn(wait: number): void {
    // In real time: another instance may have advanced the clock. Times less than a millisecond apart are the same.
    const at = performance.now() + wait;
    if (this.#stopped || at > this.#armedFor - 1) return;
    clearTimeout(this.#timer);
    this.#armedFor = at;
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(wait, pause), longest)).unref();
  }

  #wake(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    // One run at a time.
    if (this.#running !== undefined) return;
    this.#running = this.#attempt(() => this.#runSlices(() => this.#options.clock.now())).then(() => {
      this.#running = undefined;
      return this.#attempt(() => this.#armNext());
    });
  }

  async #armNext(): Promise<void> {
    const dueAt = await this.#options.store.nextDue();
    if (dueAt !== null) this.#arm(dueAt);
  }

  async #clean(): Promise<void> {
    this.#cleanedAt = this.#options.clock.now();
    await this.#options.store.forget(this.#cleanedAt);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#stopped) return;
    try {
      await work();
    } catch (error) {
      this.#options.onError?.(error);
      this.#armIn(retryPause);
    }
  }
}
