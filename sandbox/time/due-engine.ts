import { dueStep, type MailRules } from "../domain/due.ts";
import type { DueMessage, Store } from "../domain/store.ts";
import type { SandboxClock } from "./clock.ts";

/** Does what is due. */
export interface DueEngine {
  /** Does nothing more by itself from now on. Resolves when what was under way is done. */
  stop(): Promise<void>;
}

export interface DueEngineOptions {
  store: Store;
  clock: SandboxClock;
  rules: MailRules;
  /** Told, once it is kept, of every message to which something happened: as it stands after each step. */
  onSteps?: (messages: DueMessage[]) => void;
  /** Told when the store failed; what was due is tried again a second later. */
  onError?: (error: unknown) => void;
}

/** How many steps are done before requests get their turn again: a few milliseconds' worth. */
const slice = 250;

/** Shortest time between two runs of its own, in milliseconds: under load one run then does the work of many. */
const pause = 10;

/** The longest that Node waits, in milliseconds. */
const longest = 2 ** 31 - 1;

const hour = 60 * 60 * 1000;

/** Does what is due, at its time by the clock; one timer waits for the next of it. */
export function startDueEngine(options: DueEngineOptions): DueEngine {
  return new Engine(options);
}

class Engine implements DueEngine {
  readonly #options: DueEngineOptions;
  readonly #cleaning: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  /** What the timer waits for. */
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #stopped = false;
  #stepped: DueMessage[] = [];
  #cleanedAt: number;

  constructor(options: DueEngineOptions) {
    this.#options = options;
    this.#cleanedAt = options.clock.now();
    options.clock.onAdvance((target) => this.#runTo(target));
    options.store.watchDue((dueAt) => this.#arm(dueAt));
    this.#cleaning = setInterval(() => this.#attempt(() => this.#clean()), hour).unref();
    // At the start too: not every sandbox runs for an hour at a time.
    this.#attempt(() => this.#clean());
    this.#attempt(() => this.#armNext());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#cleaning);
    await this.#running;
  }

  /** Does everything until `target`, while the clock goes along. */
  async #runTo(target: number): Promise<void> {
    await this.#runSlices(() => target);
    const { clock } = this.#options;
    clock.reach(target);
    // The other way round after a reset, which takes the clock back.
    if (Math.abs(target - this.#cleanedAt) >= hour) await this.#clean();
    // What the timer waited for has happened, or is nearer now.
    clearTimeout(this.#timer);
    this.#armedFor = Number.POSITIVE_INFINITY;
    await this.#armNext();
  }

  async #runSlices(until: () => number): Promise<void> {
    const { store, clock, onSteps } = this.#options;
    for (let steps = slice; steps === slice && !this.#stopped; ) {
      const run = store.runDue(until(), slice, this.#step);
      const stepped = this.#stepped;
      this.#stepped = [];
      // In the same commit as the steps: after a crash the clock stands where they happened.
      const kept = clock.advancing && stepped.length > 0 ? clock.keep() : undefined;
      [steps] = await Promise.all([run, kept]);
      if (steps > 0) onSteps?.(stepped);
    }
  }

  #step = (message: DueMessage) => {
    const { clock, rules } = this.#options;
    const result = dueStep(message, clock.reach(message.dueAt ?? 0), rules);
    this.#stepped.push(result.message);
    return result;
  };

  #arm(dueAt: number): void {
    const { clock } = this.#options;
    if (this.#stopped || dueAt >= this.#armedFor) return;
    const wait = dueAt - clock.now();
    // A clock that stands still is only ever moved by hand.
    if (clock.frozen && wait > 0) return;
    clearTimeout(this.#timer);
    this.#armedFor = dueAt;
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(wait, pause), longest)).unref();
  }

  #wake(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    // Several runs side by side would only get in each other's way.
    if (this.#running !== undefined) return;
    this.#running = this.#attempt(async () => {
      await this.#runSlices(() => this.#options.clock.now());
    }).then(() => {
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
      this.#stepped = [];
      if (!this.#stopped) this.#arm(this.#options.clock.now() + 1_000);
    }
  }
}
