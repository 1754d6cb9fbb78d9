/** How much a store in memory keeps of one kind: beyond it the oldest go. */
export interface Bound {
  number: number;
  /** About as many as its texts have, and what V8 takes for its objects. */
  bytes: number;
}

/** A map in the order of insertion that keeps the newest entries. The last one always stays. */
export class BoundedMap<Value extends object> {
  readonly #bound: Bound;
  readonly #onDrop: (key: string) => void;
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  /** Kept, because a new iterator would start with the places of all deleted entries. */
  #oldest = this.#entries.keys();
  #bytes = 0;

  /** @param onDrop gets the key of each entry that goes because of the bound */
  constructor(bound: Bound, onDrop: (key: string) => void = () => {}) {
    this.#bound = bound;
    this.#onDrop = onDrop;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds an entry, or replaces it at its end. */
  set(key: string, value: Value): void {
    this.delete(key);
    const bytes = sizeOf(value);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    while (this.#entries.size > 1 && this.#isFull()) this.#dropOldest();
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** The oldest first. */
  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  deleteWhere(isOver: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isOver(value)) this.delete(key);
  }

  #isFull(): boolean {
    return this.#entries.size > this.#bound.number || this.#bytes > this.#bound.bytes;
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

/** What V8 takes for an object, a list or an entry of one, in bytes. */
const objectSize = 48;

/** About how many bytes a value takes, whatever properties it has. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return objectSize + value.length;
  if (typeof value !== "object" || value === null) return 0;
  let size = objectSize;
  for (const part of Object.values(value)) size += sizeOf(part) + 8;
  return size;
}
