import TinyQueue from "tinyqueue";

/** Something that took some time, and what it was about. */
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
}

/** The most exchanges that are held, and the most bytes. */
const mostHeld = 16_384;
const mostBytes = 48 * 1024 * 1024;

/**
 * Puts exchanges in the order in which they ended, as far as they are not further apart than the window, and says of each
 * whether another one about the same was in progress at the same time: then nothing is known of their order on the server.
 */
export class Window<Item extends Timed> {
  readonly #queue = new TinyQueue<Held<Item>>(
    [],
    (one, other) => one.item.end - other.item.end || one.order - other.order,
  );
  readonly #waiting = new Map<string, Set<Item>>();
  /** When the last exchange about a subject ended. */
  readonly #ended = new Map<string, number>();
  readonly #onNext: (item: Item, crowded: ReadonlySet<string>) => void;
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
   * @param held the most items that are held; default: 16384
   */
  constructor(onNext: (item: Item, crowded: ReadonlySet<string>) => void, held = mostHeld) {
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
    this.#queue.push({ item, order: this.#count });
    for (const subject of item.subjects) {
      const others = this.#waiting.get(subject);
      if (others === undefined) this.#waiting.set(subject, new Set([item]));
      else others.add(item);
    }
    while (this.#queue.length > this.#held || this.#bytes > mostBytes) this.#next();
  }

  /** Passes on everything that is held. */
  flush(): void {
    while (this.#queue.length > 0) this.#next();
  }

  #next(): void {
    const item = this.#queue.pop()?.item;
    if (item === undefined) return;
    this.#bytes -= item.bytes;
    const isLate = item.end < this.#latest;
    if (isLate) this.late += 1;
    else this.#latest = item.end;
    const crowded = new Set(isLate ? item.subjects : []);
    for (const subject of item.subjects) {
      const others = this.#waiting.get(subject);
      others?.delete(item);
      if (others?.size === 0) this.#waiting.delete(subject);
      if (!this.#isAlone(item, subject, others)) crowded.add(subject);
      this.#remember(subject, item.end);
    }
    this.#onNext(item, crowded);
  }

  #isAlone(item: Item, subject: string, others: ReadonlySet<Item> | undefined): boolean {
    const precision = this.#isOrdered || !Number.isInteger(item.start) ? 0 : 1;
    if (item.start < (this.#ended.get(subject) ?? Number.NEGATIVE_INFINITY) + precision) return false;
    for (const other of others ?? []) if (other.start < item.end + precision) return false;
    return true;
  }

  #remember(subject: string, end: number): void {
    this.#ended.delete(subject);
    this.#ended.set(subject, end);
    if (this.#ended.size <= 4 * mostHeld) return;
    const [oldest] = this.#ended.keys();
    if (oldest !== undefined) this.#ended.delete(oldest);
  }
}
