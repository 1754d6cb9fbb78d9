import { UserError } from "../../lib/user-error.ts";
import type { DueRun, Store } from "../domain/store.ts";
import { latest, writeTime } from "../domain/times.ts";
import { ClockPosition, leaseTime } from "./position.ts";

/** The clock as the API and its users see it. */
export type Clock = Pick<SandboxClock, "now" | "advance" | "advanceTo">;

/** An advance beyond the latest time. The clock does not move. */
export class ClockEnd extends RangeError {
  override name = "ClockEnd";

  constructor() {
    super(`The clock goes no further than ${writeTime(latest)}.`);
  }
}

export interface ClockOptions {
  store: Pick<Store, "setting" | "changeSetting" | "generation">;
  /** Whether it moves only when it is advanced. Default: false. */
  frozen?: boolean;
  /** Where it starts, unless the store has a position. Default: the real time. */
  startAt?: number;
}

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

/** The clock of a sandbox, in milliseconds since 1970. All instances on one store have the same: its position is a setting. */
export class SandboxClock {
  /** Whether it moves only when it is advanced. */
  readonly frozen: boolean;
  readonly #store: ClockOptions["store"];
  readonly #position: ClockPosition;
  readonly #startAt: number | undefined;
  /** The time during an advance by this instance. */
  #standing: number | undefined;
  #run: (target: number) => Promise<void> = async () => {};
  #last: Promise<void> = Promise.resolve();

  constructor({ store, frozen = false, startAt }: ClockOptions) {
    this.frozen = frozen;
    this.#store = store;
    this.#position = new ClockPosition(store, frozen);
    this.#startAt = startAt;
  }

  /** Whether an advance by this instance is in progress. */
  get advancing(): boolean {
    return this.#standing !== undefined;
  }

  now(): number {
    return this.#standing ?? this.#position.now();
  }

  /** The position to start from, as settings of the store. */
  atStart(): Record<string, string> {
    return this.#position.atStart(this.#startAt);
  }

  /** Continues from the stored position, which a clock of the other kind may have left. */
  resume(): Promise<void> {
    return this.#position.convert();
  }

  /**
   * Moves the clock and resolves when everything that is due until then has happened, in order, each at its time. Concurrent calls run one
   * after the other, whichever instance gets them.
   *
   * @throws RangeError if `milliseconds` is not a non-negative integer; ClockEnd beyond the latest time
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
      return Promise.reject(new RangeError(`${milliseconds} is not a non-negative integer`));
    }
    return this.#next((now) => now + milliseconds);
  }

  /** The same, to a time; does nothing if it is over. */
  advanceTo(time: number): Promise<void> {
    return this.#next((now) => Math.max(now, time));
  }

  /** During an advance: moves on to `time`, never back. @returns the time afterwards */
  reach(time: number): number {
    if (this.#standing !== undefined && time > this.#standing) this.#standing = time;
    return this.now();
  }

  /** The change of its position during an advance, to store together with what happened until then; undefined otherwise. */
  progress(): DueRun["setting"] {
    return this.#standing === undefined ? undefined : this.#position.progress(() => this.now());
  }

  /** Sets what processes due messages during an advance, until `target`. */
  onAdvance(run: (target: number) => Promise<void>): void {
    this.#run = run;
  }

  #next(targetFrom: (now: number) => number): Promise<void> {
    const moved = this.#last.then(() => this.#move(targetFrom));
    this.#last = moved.catch(() => {});
    return moved;
  }

  async #move(targetFrom: (now: number) => number): Promise<void> {
    const start = await this.#position.hold((now) => {
      // Checked here: several advances may add up to too much.
      if (targetFrom(now) > latest) throw new ClockEnd();
    });
    const target = targetFrom(start);
    const { generation } = this.#store;
    this.#standing = start;
    const renewal = setInterval(
      () => this.#position.renew(this.#standing ?? start).catch(() => {}),
      leaseTime / 4,
    );
    const release = async (): Promise<boolean> => {
      clearInterval(renewal);
      const reached = this.#standing ?? start;
      this.#standing = undefined;
      return this.#position.release(reached);
    };
    try {
      await this.#run(target);
    } catch (error) {
      await release();
      throw error;
    }
    // A reset in between has set the clock.
    const isSame = generation === this.#store.generation;
    if (isSame) this.reach(target);
    if (!(await release()) && isSame)
      throw new Error("another instance has taken over the clock, because this one did not renew its hold");
  }
}
