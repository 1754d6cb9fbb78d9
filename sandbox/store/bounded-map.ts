/** How much a store in memory keeps of one kind: beyond it the oldest go. */
export interface Bound {
  number: number;
  /** About as many as its texts have, and what V8 takes for an entry. */
  bytes: number;
}

/** What V8 takes for an entry beside its text. */
const entrySize = 200;

/**
 * Texts in the order of insertion, of which the newest stay, and the last one always. Records are kept as JSON: V8 collects one text faster than
 * the many objects of a record, and its length is its size.
 */
export class BoundedMap {
  readonly #bound: Bound;
  readonly #onDrop: (key: string) => void;
  readonly #entries = new Map<string, string>();
  /** Kept, because a new iterator would start with the places of all deleted entries. */
  #oldest = this.#entries.keys();
  #bytes = 0;

  /** @param onDrop gets the key of each entry that goes because of the bound */
  constructor(bound: Bound, onDrop: (key: string) => void = () => {}) {
    this.#bound = bound;
    this.#onDrop = onDrop;
  }

  get(key: string): string | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry, or replaces it at its end. */
  set(key: string, text: string): void {
    this.delete(key);
    this.#entries.set(key, text);
    this.#bytes += text.length + entrySize;
    const { number, bytes } = this.#bound;
    while (this.#entries.size > 1 && (this.#entries.size > number || this.#bytes > bytes)) this.#dropOldest();
  }

  delete(key: string): void {
    const text = this.#entries.get(key);
    if (text === undefined) return;
    this.#bytes -= text.length + entrySize;
    this.#entries.delete(key);
  }

  /** The oldest first. */
  values(): string[] {
    return [...this.#entries.values()];
  }

  deleteWhere(isOver: (text: string) => boolean): void {
    for (const [key, text] of this.#entries) if (isOver(text)) this.delete(key);
  }

  #dropOldest(): void {
    let next = this.#oldest.next();
    if (next.done) {
      this.#oldest = this.#entries.keys();
      next = this.#oldest.next();
    }
    if (next.value === undefined) return;
    this.delete(next.value);
    this.#onDrop(next.value);
  }
}
