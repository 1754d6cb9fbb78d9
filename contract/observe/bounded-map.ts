interface Entry<Value> {
  value: Value;
  bytes: number;
  /** The number of its last use that moved it to the end. */
  used: number;
}

/** A map that forgets the entries that were not used for longest when its entries need more memory than it may. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #limit: number;
  /** Continues where it stopped: a new iterator would step over all deleted entries again. */
  #oldest = this.#entries.keys();
  #bytes = 0;
  #uses = 0;
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
    // One that was used a moment ago is far from being forgotten.
    if (this.#uses - found.used > this.#entries.size / 2) {
      this.#entries.delete(key);
      this.#append(key, found);
    }
    return found.value;
  }

  /** @param bytes an estimate of the memory that the value needs */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    const size = bytes + 2 * key.length + overhead;
    this.#append(key, { value, bytes: size, used: 0 });
    this.#bytes += size;
    while (this.#bytes > this.#limit) {
      const oldest = this.#first();
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

  #append(key: string, entry: Entry<Value>): void {
    this.#uses += 1;
    entry.used = this.#uses;
    this.#entries.set(key, entry);
  }

  #first(): string | undefined {
    const next = this.#oldest.next();
    if (next.done !== true) return next.value;
    this.#oldest = this.#entries.keys();
    return this.#oldest.next().value;
  }
}

/** Of an entry besides its key and value, in bytes. */
const overhead = 200;
