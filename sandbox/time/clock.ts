import { UserError } from "../../lib/user-error.ts";
import type { Store } from "../domain/store.ts";
import { latest, writeTime } from "../domain/times.ts";

/** The one clock of a sandbox, in milliseconds since 1970. */
export interface Clock {
  now(): number;
  /**
   * Moves the clock on, and resolves when everything that is due until then has happened, in its order, each at its time. Calls one after another when
   * asked for at once.
   *
   * @throws RangeError for anything but a whole number of milliseconds from 0 on, and a `ClockEnd` where no clock goes
   */
  advance(milliseconds: number): Promise<void>;
}

/** A clock with what the sandbox itself needs of it. */
export interface SandboxClock extends Clock {
  /** Whether it stands still between advances. */
  readonly frozen: boolean;
  /** Whether it is being moved right now. */
  readonly advancing: boolean;
  /** While it is being moved: goes on to `time`, never back. @returns the time then */
  reach(time: number): number;
  /** Keeps its position in the store, with whatever else is written in this turn. */
  keep(): Promise<void>;
  /** Sets who does what is due while the clock is moved; it resolves when nothing is due any more until `target`. */
  onAdvance(run: (target: number) => Promise<void>): void;
  /** Back to where it started, after the store was reset. */
  reset(): void;
}

/** The clock was to go further than it does. It stays where it was. */
export class ClockEnd extends RangeError {
  override name = "ClockEnd";

  constructor() {
    super(`The clock goes no further than ${writeTime(latest)}.`);
  }
}

export interface ClockOptions {
  store: Pick<Store, "setting" | "setSetting">;
  /** Whether it stands still between advances; it runs unless told otherwise. */
  frozen?: boolean;
  /** Where it starts when the store has not kept a position; the real time unless told otherwise. */
  startAt?: number;
}

const setting = "clock";

/**
 * A clock that goes on from where the store last knew it: a frozen one at the same moment, a running one as far from the real time as before.
 *
 * @throws UserError for a start that is no time between 1970 and the furthest that the clock goes
 */
export function createClock(options: ClockOptions): SandboxClock {
  const { startAt = 0 } = options;
  if (!Number.isInteger(startAt) || startAt < 0 || startAt > latest)
    throw new UserError(`The clock cannot start at ${startAt}.`, {
      hint: `Give whole milliseconds from ${writeTime(0)} to ${writeTime(latest)}, such as Date.parse("2027-01-31T09:00:00Z").`,
    });
  return new KeptClock(options);
}

class KeptClock implements SandboxClock {
  readonly frozen: boolean;
  readonly #store: ClockOptions["store"];
  readonly #startAt: number | undefined;
  /** How far it is from the real time, when it runs. */
  #offset = 0;
  /** Where it stands: always when frozen, otherwise only while it is being moved. */
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

  get advancing(): boolean {
    return this.#advancing;
  }

  now(): number {
    return this.#standing ?? Date.now() + this.#offset;
  }

  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
      return Promise.reject(
        new RangeError(`${milliseconds} is not a whole number of milliseconds from 0 on`),
      );
    }
    const moved = this.#last.then(() => this.#move(milliseconds));
    this.#last = moved.catch(() => {});
    return moved;
  }

  reach(time: number): number {
    if (this.#advancing && time > this.now()) this.#standing = time;
    return this.now();
  }

  keep(): Promise<void> {
    const now = this.now();
    const position = this.frozen ? { at: now } : { offset: now - Date.now() };
    return this.#store.setSetting(setting, JSON.stringify(position));
  }

  onAdvance(run: (target: number) => Promise<void>): void {
    this.#run = run;
  }

  reset(): void {
    this.#advancing = false;
    this.#start(this.#startAt);
  }

  async #move(milliseconds: number): Promise<void> {
    const start = this.now();
    // Looked at in turn: several advances may add up to too much.
    if (start + milliseconds > latest) throw new ClockEnd();
    this.#standing = start;
    this.#advancing = true;
    try {
      await this.#run(start + milliseconds);
      // A reset in between has the last word.
      if (!this.#advancing) return;
      this.reach(start + milliseconds);
      await this.keep();
    } finally {
      if (this.#advancing && !this.frozen) this.#leave(this.now());
      this.#advancing = false;
    }
  }

  #start(startAt: number | undefined): void {
    this.#standing = undefined;
    this.#offset = 0;
    if (this.frozen) this.#standing = startAt ?? Date.now();
    else if (startAt !== undefined) this.#leave(startAt);
    // Kept from the start on: a restart must not begin again at `startAt`, before what has happened since.
    if (startAt !== undefined) this.keep().catch(() => {});
  }

  #resume(kept: { at?: number; offset?: number }): void {
    const now = kept.at ?? Date.now() + (kept.offset ?? 0);
    if (this.frozen) this.#standing = now;
    else this.#leave(now);
  }

  /** Runs on from `now`. */
  #leave(now: number): void {
    this.#standing = undefined;
    this.#offset = now - Date.now();
  }
}
