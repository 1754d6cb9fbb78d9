import { LRUCache } from "lru-cache";
import TinyQueue from "tinyqueue";
import type { Exchange } from "../exchange.ts";

/** An item with a start and an end, and the subjects that it is about. */
export interface Timed {
  /** Milliseconds since 1970; NaN if it is not known. */
  start: number;
  end: number;
  subjects: readonly string[];
  bytes: number;
}

interface Held<Item extends Timed> {
  item: Item;
  order: number;
  isOver: boolean;
}

const byStart = (one: Held<Timed>, other: Held<Timed>): number => one.item.start - other.item.start;
const byEnd = (one: Held<Timed>, other: Held<Timed>): number =>
  one.item.end - other.item.end || one.order - other.order;

/** The most exchanges that are held, and the most bytes. */
const mostHeld = 8192;
const mostBytes = 24 * 1024 * 1024;

/**
 * Sorts exchanges by their ends, unless they arrive too late for the window. It passes each on with those of its subjects that another
 * exchange in progress was about: their order on the server is unknown.
 */
export class Window<Item extends Timed> {
  readonly #queue = new TinyQueue<Held<Item>>([], byEnd);
  /** What is held about each subject, by its start. */
  readonly #waiting = new Map<string, TinyQueue<Held<Item>>>();
  /** When the last exchange about a subject ended, for the latest subjects. */
  readonly #ended = new LRUCache<string, number>({ max: 4 * mostHeld });
  readonly #onNext: (item: Item, concurrent: ReadonlySet<string>) => void;
  readonly #held: number;
  #count = 0;
  #bytes = 0;
  #latest = Number.NEGATIVE_INFINITY;
  /** Whether the items came in the order of their ends or starts. If not, times in whole milliseconds do not order them. */
  #isOrdered = true;
  #lastStart = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  /** How many came too late to be put in order. */
  late = 0;

  /**
   * @param onNext called with each item, and those of its subjects that another item in progress was about
   * @param held the most items that are held; default: 8192
   */
  constructor(onNext: (item: Item, concurrent: ReadonlySet<string>) => void, held = mostHeld) {
    this.#onNext = onNext;
    this.#held = held;
  }

  add(item: Item): void {
    if (Number.isNaN(item.start) || Number.isNaN(item.end)) {
      this.#onNext(item, new Set(item.subjects));
      return;
    }
    if (item.start < this.#lastStart && item.end < this.#lastEnd) this.#isOrdered = false;
    this.#lastStart = item.start;
    this.#lastEnd = item.end;
    this.#count += 1;
    this.#bytes += item.bytes;
    const held = { item, order: this.#count, isOver: false };
    this.#queue.push(held);
    for (const subject of item.subjects) {
      const others = this.#waiting.get(subject) ?? new TinyQueue<Held<Item>>([], byStart);
      this.#waiting.set(subject, others);
      others.push(held);
    }
    while (this.#queue.length > this.#held || this.#bytes > mostBytes) this.#next();
  }

  /** Passes on everything that is held. */
  flush(): void {
    while (this.#queue.length > 0) this.#next();
  }

  #next(): void {
    const held = this.#queue.pop();
    if (held === undefined) return;
    const { item } = held;
    held.isOver = true;
    this.#bytes -= item.bytes;
    const isLate = item.end < this.#latest;
    if (isLate) this.late += 1;
    else this.#latest = item.end;
    const concurrent = new Set(isLate ? item.subjects : []);
    for (const subject of item.subjects) {
      if (!this.#isAlone(item, subject)) concurrent.add(subject);
      this.#ended.set(subject, item.end);
    }
    this.#onNext(item, concurrent);
  }

  #isAlone(item: Item, subject: string): boolean {
    const precision = this.#isOrdered || !Number.isInteger(item.start) ? 0 : 1;
    const next = this.#nextStart(subject);
    const lastEnd = this.#ended.get(subject) ?? Number.NEGATIVE_INFINITY;
    return item.start >= lastEnd + precision && !(next < item.end + precision);
  }

  /** When the first of the others that are held about a subject started. */
  #nextStart(subject: string): number {
    const others = this.#waiting.get(subject);
    while (others?.peek()?.isOver === true) others.pop();
    const next = others?.peek();
    if (next === undefined) this.#waiting.delete(subject);
    return next?.item.start ?? Number.POSITIVE_INFINITY;
  }
}

/** In milliseconds: smaller differences may be differences between clocks. */
const slack = 60_000;

/** The server's time before a request and after its response, in milliseconds since 1970. */
export interface ServerTime {
  sentAt: number;
  now: number;
}

/** Estimates how far the server's clock is from that of the record, by the header Date. */
export class ServerClock {
  #offset = 0;
  #latest = Number.NEGATIVE_INFINITY;

  /**
   * @param end when the response was complete, by the clock of the record
   * @returns undefined if the server's clock turns out to be another one than assumed so far: what is known then is unsafe
   */
  timeOf({ headers }: Exchange, start: number, end: number): ServerTime | undefined {
    const date = Date.parse(headers.date ?? "");
    if (!Number.isNaN(date)) {
      const difference = date - end;
      this.#offset = Math.abs(difference) > slack ? difference : 0;
      const isBack = date < this.#latest - slack;
      this.#latest = isBack ? date : Math.max(this.#latest, date);
      // It was reset, or it is another server.
      if (isBack) return undefined;
    }
    return { sentAt: start + this.#offset - slack, now: end + this.#offset + slack };
  }
}
