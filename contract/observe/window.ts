import { LRUCache } from "lru-cache";
import TinyQueue from "tinyqueue";
import type { Exchange } from "../exchange.ts";

/** An item with a start and an end, and the subjects that it is about. */
export interface Timed {
  /** The earliest start and the latest end by the record, in milliseconds since 1970; NaN if it is not known. */
  start: number;
  end: number;
  /** The name of a connection that its items came over one after the other, in their order in the record. */
  connection?: string | undefined;
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

/** When the last exchange about a subject ended, and when the last one over another connection. */
interface Ended {
  last: { connection: string | undefined; end: number };
  others: number;
}

const endedAt = (end: number): Ended => ({ last: { connection: undefined, end }, others: end });
const never = endedAt(Number.NEGATIVE_INFINITY);
const always = endedAt(Number.POSITIVE_INFINITY);

/** The most exchanges that are held, and the most bytes. */
const mostHeld = 8192;
const mostBytes = 24 * 1024 * 1024;

/**
 * Sorts exchanges by their ends, unless they arrive too late for the window. It passes each on with those of its subjects that another
 * exchange in progress was about: their order on the server is unknown.
 */
export class Window<Item extends Timed> {
  readonly #queue = new TinyQueue<Held<Item>>([], byEnd);
  /** What is held about each subject by its connection, by its start. */
  readonly #waiting = new Map<string, Map<string | undefined, TinyQueue<Held<Item>>>>();
  /** When the last exchange about a subject ended, for the latest subjects. */
  readonly #ended = new LRUCache<string, Ended>({ max: 4 * mostHeld });
  /** When the last item of each connection ended. */
  readonly #ends = new LRUCache<string, number>({ max: mostHeld });
  readonly #onNext: (item: Item, concurrent: ReadonlySet<string>) => void;
  readonly #held: number;
  #count = 0;
  #bytes = 0;
  #latest = Number.NEGATIVE_INFINITY;
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
      // It may have been in progress at any time.
      for (const subject of item.subjects) this.#ended.set(subject, always);
      this.#onNext(item, new Set(item.subjects));
      return;
    }
    const { connection } = item;
    if (connection !== undefined) {
      // What a connection brings later ends later, however imprecise its times are.
      item.end = Math.max(item.end, this.#ends.get(connection) ?? item.end);
      this.#ends.set(connection, item.end);
    }
    this.#count += 1;
    this.#bytes += item.bytes;
    const held = { item, order: this.#count, isOver: false };
    this.#queue.push(held);
    for (const subject of item.subjects) {
      const all = this.#waiting.get(subject) ?? new Map<string | undefined, TinyQueue<Held<Item>>>();
      this.#waiting.set(subject, all);
      const own = all.get(connection) ?? new TinyQueue<Held<Item>>([], byStart);
      all.set(connection, own);
      own.push(held);
    }
    while (this.#queue.length > this.#held || this.#bytes > mostBytes) this.#next();
  }

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
    for (const subject of item.subjects) if (!this.#isAlone(item, subject)) concurrent.add(subject);
    this.#onNext(item, concurrent);
  }

  /** Whether no other exchange about a subject can have been in progress, except on the same connection; it has ended now. */
  #isAlone({ start, end, connection }: Item, subject: string): boolean {
    const { last, others } = this.#ended.get(subject) ?? never;
    const before = connection !== undefined && connection === last.connection ? others : last.end;
    this.#ended.set(subject, { last: { connection, end: Math.max(end, last.end) }, others: before });
    return !(start < before) && !(this.#nextStart(subject, connection) < end);
  }

  /** When the first of the others that are held about a subject started. */
  #nextStart(subject: string, connection: string | undefined): number {
    const all = this.#waiting.get(subject);
    let first = Number.POSITIVE_INFINITY;
    for (const [name, own] of all ?? []) {
      while (own.peek()?.isOver === true) own.pop();
      const next = own.peek();
      if (next === undefined) all?.delete(name);
      else if (name === undefined || name !== connection) first = Math.min(first, next.item.start);
    }
    if (all?.size === 0) this.#waiting.delete(subject);
    return first;
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
