import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/store.ts";
import type { Bound } from "./bounds.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

type Stored = Replay & { expiresAt: number };

/** The idempotency records. All live equally long; beyond the bound the oldest go. */
export class IdempotencyRecords {
  readonly #bound: Bound;
  /** The oldest first. */
  readonly #records = new Map<string, Stored>();
  /** One iterator for good: each new one would pass all places of those that are gone. */
  readonly #oldest = this.#records.keys();
  #bytes = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  find(key: Key, now: number): Replay | undefined {
    const found = this.#records.get(nameOf(key));
    if (found === undefined || found.expiresAt <= now) return undefined;
    return { fingerprint: found.fingerprint, response: found.response };
  }

  insert(record: IdempotencyRecord, response: StoredResponse): void {
    const name = nameOf(record);
    // An expired one keeps its place otherwise.
    this.#delete(name);
    const { fingerprint, expiresAt } = record;
    this.#records.set(name, { fingerprint, expiresAt, response });
    this.#bytes += sizeOf(name, response);
    const { number, bytes } = this.#bound;
    while (this.#records.size > number || this.#bytes > bytes) this.#delete(this.#oldest.next().value ?? "");
  }

  forget(now: number): void {
    for (const [name, { expiresAt }] of this.#records) {
      if (expiresAt > now) return;
      this.#delete(name);
    }
  }

  #delete(name: string): void {
    const record = this.#records.get(name);
    if (record === undefined) return;
    this.#records.delete(name);
    this.#bytes -= sizeOf(name, record.response);
  }
}

/** Key ids of a seed have no spaces. */
const nameOf = ({ scope, key }: Key): string => `${scope} ${key}`;

/** What the objects and the fingerprint of a record take, in bytes. */
const objects = 300;

const sizeOf = (name: string, { body }: StoredResponse): number => objects + name.length + body.length;
