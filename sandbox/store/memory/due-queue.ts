import TinyQueue from "tinyqueue";
import type { Stored } from "./stored-message.ts";

const timeOf = ({ dueAt }: Stored): number => dueAt ?? Number.POSITIVE_INFINITY;

const compare = (one: Stored, other: Stored): number => timeOf(one) - timeOf(other) || one.seq - other.seq;

/** How many obsolete entries are worth the work of removing them. */
const slack = 1_000;

/** The messages that something is due for, by their times. */
export class DueQueue {
  #queue = new TinyQueue<Stored>([], compare);
  #messages = 0;

  /** With the obsolete entries. */
  get length(): number {
    return this.#queue.length;
  }

  /** Adds a message, unless nothing is due for it. */
  add(stored: Stored): void {
    if (stored.dueAt === null) return;
    this.#messages += 1;
    this.#queue.push(stored);
  }

  /** Makes a message obsolete. */
  drop(stored: Stored): void {
    stored.isCurrent = false;
    if (stored.dueAt === null) return;
    this.#messages -= 1;
    // Removing them takes a pass over all, so it waits until they are many.
    if (this.length > 2 * this.#messages + slack)
      this.#queue = new TinyQueue(this.#queue.data.filter(isCurrent), compare);
  }

  earliest(): number | null {
    return this.#first()?.dueAt ?? null;
  }

  /** Takes messages out that are due at `until` or before, the earliest first. */
  take(until: number, limit: number): Stored[] {
    const taken: Stored[] = [];
    for (let stored = this.#first(); taken.length < limit; stored = this.#first()) {
      if (stored === undefined || timeOf(stored) > until) break;
      taken.push(stored);
      this.#queue.pop();
    }
    return taken;
  }

  /** Puts those back that are still due at the same time. */
  putBack(taken: readonly Stored[]): void {
    for (const stored of taken) if (stored.isCurrent) this.#queue.push(stored);
  }

  #first(): Stored | undefined {
    for (let stored = this.#queue.peek(); stored !== undefined; stored = this.#queue.peek()) {
      if (stored.isCurrent) return stored;
      this.#queue.pop();
    }
    return undefined;
  }
}

const isCurrent = (stored: Stored): boolean => stored.isCurrent;
