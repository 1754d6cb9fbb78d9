import TinyQueue from "tinyqueue";
import type { Due, Stored } from "./stored-message.ts";

const compare = (one: Due, other: Due): number => one.at - other.at || one.stored.seq - other.stored.seq;

const isCurrent = (due: Due): boolean => due.stored.due === due;

/** How many obsolete entries are worth the work of removing them. */
const slack = 1_000;

/** The messages that something is due for, by their times. */
export class DueQueue {
  #queue = new TinyQueue<Due>([], compare);
  #messages = 0;

  /** With the obsolete entries. */
  get length(): number {
    return this.#queue.length;
  }

  /** Sets when a message is due; null if nothing is. */
  set(stored: Stored, at: number | null): void {
    if (stored.due !== undefined) this.#messages -= 1;
    stored.due = at === null ? undefined : { at, stored };
    if (stored.due !== undefined) {
      this.#messages += 1;
      this.#queue.push(stored.due);
    }
    // Removing them takes a pass over all, so it waits until they are many.
    if (this.length > 2 * this.#messages + slack)
      this.#queue = new TinyQueue(this.#queue.data.filter(isCurrent), compare);
  }

  earliest(): number | null {
    return this.#first()?.at ?? null;
  }

  /** Takes messages out that are due at `until` or before, the earliest first. */
  take(until: number, limit: number): Due[] {
    const taken: Due[] = [];
    for (let due = this.#first(); taken.length < limit; due = this.#first()) {
      if (due === undefined || due.at > until) break;
      taken.push(due);
      this.#queue.pop();
    }
    return taken;
  }

  /** Puts those back that are still due at the same time. */
  putBack(taken: readonly Due[]): void {
    for (const due of taken) if (isCurrent(due)) this.#queue.push(due);
  }

  #first(): Due | undefined {
    for (let due = this.#queue.peek(); due !== undefined; due = this.#queue.peek()) {
      if (isCurrent(due)) return due;
      this.#queue.pop();
    }
    return undefined;
  }
}
