/** A map that forgets the entries that were not used for longest when its entries need more memory than it may. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  readonly #limit: number;
  #bytes = 0;
  /** How many entries it has forgotten. */
  forgotten = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value, which does not count as a use of it. */
  peek = (key: string): Value | undefined => this.#entries.get(key)?.value;

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  /** @param bytes an estimate of the memory that the value needs */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    const size = bytes + 2 * key.length + overhead;
    this.#entries.set(key, { value, bytes: size });
    this.#bytes += size;
    while (this.#bytes > this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest === undefined) break;
      this.delete(oldest);
      this.forgotten += 1;
    }
  }

  delete(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= found.bytes;
  }

  /** Deletes an entry that may be missed later. */
  forget(key: string): void {
    this.delete(key);
    this.forgotten += 1;
  }

  clear(): void {
    this.forgotten += this.#entries.size;
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/** Of an entry besides its key and value, in bytes. */
const overhead = 200;
