import { UserError } from "../../lib/user-error.ts";
import type { Store } from "../domain/store.ts";
import { latest, writeTime } from "../domain/times.ts";

/** The clock as the API and its users see it. */
export type Clock = Pick<SandboxClock, "now" | "advance">;

/** An advance beyond the latest time. The clock does not move. */
export class ClockEnd extends RangeError {
  override name = "ClockEnd";

  constructor() {
    super(`The clock goes no further than ${writeTime(latest)}.`);
  }
}

export interface ClockOptions {
  store: Pick<Store, "setting" | "setSetting">;
  /** Whether it moves only when it is advanced. Default: false. */
  frozen?: boolean;
  /** Where it starts, unless the store has a position. Default: the real time. */
  startAt?: number;
}

const setting = "clock";

/**
 * Creates a clock that continues from its stored position: a frozen one at the same time, a running one with the same offset from the real
 * time.
 *
 * @throws UserError if the start is invalid
 */
export function createClock(options: ClockOptions): SandboxClock {
  const { startAt = 0 } = options;
  if (!Number.isInteger(startAt) || startAt < 0 || startAt > latest)
    throw new UserError(`clock.startAt is invalid (got ${startAt})`, {
      hint: `Use whole milliseconds from ${writeTime(0)} to ${writeTime(latest)}, such as Date.parse("2027-01-31T09:00:00Z").`,
    });
  return new SandboxClock(options);
}

/** The clock of a sandbox, in milliseconds since 1970. */
export class SandboxClock {
  /** Whether it moves only when it is advanced. */
  readonly frozen: boolean;
  readonly #store: ClockOptions["store"];
  readonly #startAt: number | undefined;
  /** The offset from the real time, while it runs. */
  #offset = 0;
  /** The time of a frozen clock, and of any during an advance. */
  #standing: number | undefined;
  #advancing = false;
  #run: (target: number) => Promise<void> = async () => {};
  #last: Promise<void> = Promise.resolve();

  constructor({ store, frozen = false, startAt }: ClockOptions) {
    this.frozen = frozen;
    this.#store = store;
    this.#startAt = startAt;
    const kept = store.setting(setting);
    if (kept === undefined) this.#start(startAt);
    else this.#resume(JSON.parse(kept));
  }

  /** Whether an advance is in progress. */
  get advancing(): boolean {
    return this.#advancing;
  }

  now(): number {
    return this.#standing ?? Date.now() + this.#offset;
  }

  /**
   * Moves the clock and resolves when everything that is due until then has happened, in order, each at its time. Concurrent calls run one
   * after the other.
   *
   * @throws RangeError if `milliseconds` is not a non-negative integer; ClockEnd beyond the latest time
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
      return Promise.reject(new RangeError(`${milliseconds} is not a non-negative integer`));
    }
    const moved = this.#last.then(() => this.#move(milliseconds));
    this.#last = moved.catch(() => {});
    return moved;
  }

  /** During an advance: moves on to `time`, never back. @returns the time afterwards */
  reach(time: number): number {
    if (this.#advancing && time > this.now()) this.#standing = time;
    return this.now();
  }

  /** Stores its position, in the current commit. */
  keep(): Promise<void> {
    const now = this.now();
    const position = this.frozen ? { at: now } : { offset: now - Date.now() };
    return this.#store.setSetting(setting, JSON.stringify(position));
  }

  /** Sets what processes due messages during an advance, until `target`. */
  onAdvance(run: (target: number) => Promise<void>): void {
    this.#run = run;
  }

  /** Returns to its start, after a reset of the store. */
  reset(): void {
    this.#advancing = false;
    this.#start(this.#startAt);
  }

  async #move(milliseconds: number): Promise<void> {
    const start = this.now();
    // Checked here: several advances may add up to too much.
    if (start + milliseconds > latest) throw new ClockEnd();
    this.#standing = start;
    this.#advancing = true;
    try {
      await this.#run(start + milliseconds);
      // A reset in between has set the clock.
      if (!this.#advancing) return;
      this.reach(start + milliseconds);
      await this.keep();
    } finally {
      if (this.#advancing && !this.frozen) this.#runFrom(this.now());
      this.#advancing = false;
    }
  }

  #start(startAt: number | undefined): void {
    this.#standing = undefined;
    this.#offset = 0;
    if (this.frozen) this.#standing = startAt ?? Date.now();
    else if (startAt !== undefined) this.#runFrom(startAt);
    // Stored from the start: a restart must not begin again at `startAt`.
    if (startAt !== undefined) this.keep().catch(() => {});
  }

  #resume(kept: { at?: number; offset?: number }): void {
    const now = kept.at ?? Date.now() + (kept.offset ?? 0);
    if (this.frozen) this.#standing = now;
    else this.#runFrom(now);
  }

  /** Continues from `now`. */
  #runFrom(now: number): void {
    this.#standing = undefined;
    this.#offset = now - Date.now();
  }
}
