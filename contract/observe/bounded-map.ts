import { LRUCache } from "lru-cache";

/** Of an entry besides its key and value, in bytes. */
const overhead = 200;

/** A map that forgets the entries that were not used for longest when its entries need more memory than it may. */
export class BoundedMap<Value extends object> {
  readonly #entries: LRUCache<string, Value>;
  /** How many entries it has forgotten. */
  forgotten = 0;

  /** @param maxSize in bytes */
  constructor(maxSize: number) {
    const dispose: LRUCache.Disposer<string, Value> = (_value, _key, reason) => {
      if (reason === "evict") this.forgotten += 1;
    };
    this.#entries = new LRUCache({ maxSize, dispose });
  }

  get = (key: string): Value | undefined => this.#entries.get(key);

  /** The value, which does not count as a use of it. */
  peek = (key: string): Value | undefined => this.#entries.peek(key);

  /** @param bytes an estimate of the memory that the value needs */
  set(key: string, value: Value, bytes: number): void {
    this.#entries.set(key, value, { size: bytes + 2 * key.length + overhead });
  }

  /** Deletes an entry that may be missed later. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.forgotten += 1;
  }

  clear(): void {
    this.forgotten += this.#entries.size;
    this.#entries.clear();
  }
}
