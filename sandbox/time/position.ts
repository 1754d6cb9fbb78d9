import { randomUUID } from "node:crypto";
// Imported, because users' tests may replace the global one.
import { setTimeout as wait } from "node:timers/promises";
import type { DueRun, Store } from "../domain/store.ts";

/** How long an advance holds the clock unless it renews that, in milliseconds of real time: the instance may have been killed. */
export const leaseTime = 2_000;

/** How often another instance checks whether the clock is free, in milliseconds. */
const pollInterval = 20;

const setting = "clock";

/**
 * Where a clock stands: at a fixed time, or at an offset from the real time. While an instance advances it, it stands at `at`; without a
 * renewal it goes on from there after `until`, in real time.
 */
type Position = { at: number; holder?: string; until?: number } | { offset: number };

/** The position of the clock in the settings of a store. */
export class ClockPosition {
  readonly #store: Pick<Store, "setting" | "changeSetting">;
  readonly #frozen: boolean;
  readonly #self = randomUUID();
  #read: { text: string | undefined; position: Position } = { text: undefined, position: { offset: 0 } };

  constructor(store: Pick<Store, "setting" | "changeSetting">, frozen: boolean) {
    this.#store = store;
    this.#frozen = frozen;
  }

  now(): number {
    const text = this.#store.setting(setting);
    if (text !== this.#read.text) this.#read = { text, position: parse(text) };
    return this.#timeOf(this.#read.position);
  }

  /** @param startAt default: the real time, from which a running clock has no offset */
  atStart(startAt: number | undefined): Record<string, string> {
    return !this.#frozen && startAt === undefined ? {} : { [setting]: this.#free(startAt ?? Date.now()) };
  }

  /** Changes a frozen clock into a running one, and the other way round. */
  convert(): Promise<void> {
    return this.#change((position) =>
      "at" in position === this.#frozen || isHeld(position) ? undefined : this.#free(this.#timeOf(position)),
    );
  }

  /** Waits until no other instance holds the clock, and holds it. @returns its time @throws what `check` throws */
  async hold(check: (now: number) => void): Promise<number> {
    for (;;) {
      const time = await this.#store.changeSetting(setting, (text) => {
        const position = parse(text);
        if (isHeld(position) && position.holder !== this.#self) return { value: text, result: undefined };
        const now = this.#timeOf(position);
        check(now);
        return { value: JSON.stringify(this.#lease(now)), result: now };
      });
      if (time !== undefined) return time;
      await wait(pollInterval);
    }
  }

  /** The change of the setting while the clock is held: to the time that `at` returns, unless another instance has taken it over. */
  progress(at: () => number): NonNullable<DueRun["setting"]> {
    const change = (text: string | undefined): string | undefined =>
      this.#holds(parse(text)) ? JSON.stringify(this.#lease(at())) : text;
    return { name: setting, change };
  }

  /** Holds the clock for longer. */
  renew(at: number): Promise<void> {
    return this.#change((position) =>
      this.#holds(position) ? JSON.stringify(this.#lease(Math.max(at, position.at))) : undefined,
    );
  }

  /** Frees the clock at this time. @returns false if a reset has set it, or another instance has taken it over */
  release(at: number): Promise<boolean> {
    return this.#store.changeSetting(setting, (text) => {
      const holds = this.#holds(parse(text));
      return { value: holds ? this.#free(at) : text, result: holds };
    });
  }

  #change(change: (position: Position) => string | undefined): Promise<void> {
    return this.#store.changeSetting(setting, (text) => ({
      value: change(parse(text)) ?? text,
      result: undefined,
    }));
  }

  #timeOf(position: Position): number {
    if ("offset" in position) return Date.now() + position.offset;
    const { at, until } = position;
    return this.#frozen || until === undefined ? at : at + Math.max(0, Date.now() - until);
  }

  #holds(position: Position): position is Extract<Position, { at: number }> {
    return "at" in position && position.holder === this.#self;
  }

  #free(at: number): string {
    return JSON.stringify(this.#frozen ? { at } : { offset: at - Date.now() });
  }

  #lease = (at: number): Position => ({ at, holder: this.#self, until: Date.now() + leaseTime });
}

const parse = (text: string | undefined): Position => (text === undefined ? { offset: 0 } : JSON.parse(text));

const isHeld = (position: Position): position is Extract<Position, { at: number }> =>
  "at" in position && position.until !== undefined && position.until > Date.now();
