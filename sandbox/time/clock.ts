import { UserError } from "../../lib/user-error.ts";
import type { Store } from "../domain/store.ts";
import { latest, writeTime } from "../domain/times.ts";

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
  store: Pick<Store, "setting" | "changeSetting">;
  /** Whether it moves only when it is advanced. Default: false. */
  frozen?: boolean;
  /** Where it starts, unless the store has a position. Default: the real time. */
  startAt?: number;
}

export interface AdvanceWork {
  /** Ends what is in progress, before the clock moves. */
  before(): Promise<void>;
  /** Processes due messages, after it has moved. */
  runDue(until: number): Promise<void>;
}

/** Where a clock stands: at a fixed time, or at an offset from the real time. */
type Position = { at: number } | { offset: number };

const setting = "clock";

/**
 * The clock of a sandbox, in milliseconds since 1970. All instances on one store have the same: its position is a setting. It continues from
 * there: a frozen one at the same time, a running one with the same offset from the real time.
 */
export class SandboxClock {
  /** Whether it moves only when it is advanced. */
  readonly frozen: boolean;
  readonly #store: ClockOptions["store"];
  readonly #startAt: number | undefined;
  #work: AdvanceWork = { before: async () => {}, runDue: async () => {} };

  /** @throws UserError if the start is invalid */
  constructor({ store, frozen = false, startAt }: ClockOptions) {
    if (startAt !== undefined && !(Number.isInteger(startAt) && startAt >= 0 && startAt <= latest))
      throw new UserError(`clock.startAt is invalid (got ${startAt})`, {
        hint: `Use whole milliseconds from ${writeTime(0)} to ${writeTime(latest)}, such as Date.parse("2027-01-31T09:00:00Z").`,
      });
    this.frozen = frozen;
    this.#store = store;
    this.#startAt = startAt;
  }

  now(): number {
    return timeOf(parse(this.#store.setting(setting)));
  }

  /** The position to start from, as settings of the store. A running clock at the real time has no offset. */
  atStart(): Record<string, string> {
    const isRealTime = !this.frozen && this.#startAt === undefined;
    return isRealTime ? {} : { [setting]: this.#positionAt(this.#startAt ?? Date.now()) };
  }

  /** Continues from the stored position, which a clock of the other kind may have left. */
  resume(): Promise<void> {
    return this.#store.changeSetting(setting, (text) => {
      const position = parse(text);
      const isOther = "at" in position !== this.frozen;
      return { value: isOther ? this.#positionAt(timeOf(position)) : text, result: undefined };
    });
  }

  /**
   * Moves the clock and resolves when everything that is due until then has happened, in order, each at its time. Concurrent advances add up,
   * whichever instance gets them.
   * @throws RangeError if `milliseconds` is not a non-negative integer; ClockEnd beyond the latest time
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
      return Promise.reject(new RangeError(`${milliseconds} is not a non-negative integer`));
    return this.#move((now) => now + milliseconds);
  }

  /** The same, to a time; does nothing if it is over. */
  advanceTo(time: number): Promise<void> {
    return this.#move((now) => Math.max(now, time));
  }

  onAdvance(work: AdvanceWork): void {
    this.#work = work;
  }

  async #move(targetFrom: (now: number) => number): Promise<void> {
    await this.#work.before();
    const target = await this.#store.changeSetting(setting, (text) => {
      const result = targetFrom(timeOf(parse(text)));
      // Checked here: several advances may add up to too much.
      if (result > latest) throw new ClockEnd();
      return { value: this.#positionAt(result), result };
    });
    await this.#work.runDue(target);
  }

  #positionAt(time: number): string {
    return JSON.stringify(this.frozen ? { at: time } : { offset: time - Date.now() });
  }
}

const parse = (text: string | undefined): Position => (text === undefined ? { offset: 0 } : JSON.parse(text));

const timeOf = (position: Position): number =>
  "at" in position ? position.at : Date.now() + position.offset;
