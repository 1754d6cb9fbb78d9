import TinyQueue from "tinyqueue";
import type { Stored } from "./stored-message.ts";

/** How many obsolete entries are worth the work of removing them. */
const slack = 1_000;

/**
 * The messages that something is due for, by their times. Many are due at the same time, so only the times are in a heap. An entry is obsolete
 * once its message is due at another time.
 */
export class DueQueue {
  /** Each time of `#entries` once. */
  #times = new TinyQueue<number>();
  readonly #entries = new Map<number, Stored[]>();
  #length = 0;
  #messages = 0;

  /** With the obsolete entries. */
  get length(): number {
    return this.#length;
  }

  /** Changes when a message is due. Null: nothing is due for it. */
  move(stored: Stored, dueAt: number | null): void {
    if (stored.dueAt !== null) this.#messages -= 1;
    stored.dueAt = dueAt;
    if (dueAt !== null) {
      this.#messages += 1;
      this.#add(stored, dueAt);
    }
    // Removing them takes a pass over all, so it waits until they are many.
    if (this.#length > 2 * this.#messages + slack) this.#removeObsolete();
  }

  earliest(): number | null {
    for (let time = this.#times.peek(); time !== undefined; time = this.#times.peek()) {
      const entries = this.#entries.get(time) ?? [];
      while (entries.length > 0 && entries.at(-1)?.dueAt !== time) this.#length -= entries.pop() ? 1 : 0;
      if (entries.length > 0) return time;
      this.#entries.delete(time);
      this.#times.pop();
    }
    return null;
  }

  /** The messages that are due at `until` or before, the earliest first. They stay in the queue until they are moved. */
  due(until: number, limit: number): Stored[] {
    const found: Stored[] = [];
    const passed: number[] = [];
    for (let time = this.earliest(); time !== null && time <= until; time = this.earliest()) {
      passed.push(time);
      this.#times.pop();
      for (const stored of this.#dueAt(time)) if (found.length < limit) found.push(stored);
      if (found.length === limit) break;
    }
    for (const time of passed) this.#times.push(time);
    return found;
  }

  #add(stored: Stored, dueAt: number): void {
    this.#length += 1;
    const entries = this.#entries.get(dueAt);
    if (entries !== undefined) {
      entries.push(stored);
      return;
    }
    this.#entries.set(dueAt, [stored]);
    this.#times.push(dueAt);
  }

  /** Each once: one that was moved and moved back has two entries. */
  #dueAt(time: number): Stored[] {
    const entries = this.#entries.get(time) ?? [];
    const due = entries.filter((stored) => stored.dueAt === time).sort((a, b) => a.seq - b.seq);
    return due.filter((stored, index) => stored !== due[index - 1]);
  }

  #removeObsolete(): void {
    this.#length = 0;
    for (const time of this.#entries.keys()) {
      const due = this.#dueAt(time);
      this.#length += due.length;
      if (due.length > 0) this.#entries.set(time, due);
      else this.#entries.delete(time);
    }
    this.#times = new TinyQueue([...this.#entries.keys()]);
  }
}
