import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/writes.ts";
import type { Bound } from "./bounds.ts";
import { type Packed, PackedRecords, sizeOf, unpacked } from "./packed-records.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

interface Stored {
  expiresAt: number;
  replay: Packed;
}

/** The idempotency records. All live equally long; beyond the bound the oldest go. */
export class IdempotencyRecords {
  readonly #bound: Bound;
  /** The oldest first. */
  readonly #records = new Map<string, Stored>();
  /** Kept, because a new one passes all places of those that are gone. */
  #oldest = this.#records.keys();
  readonly #replays = new PackedRecords();
  #bytes = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  find(key: Key, now: number): Replay | undefined {
    const found = this.#records.get(nameOf(key));
    return found === undefined || found.expiresAt <= now ? undefined : unpacked<Replay>(found.replay);
  }

  insert(record: IdempotencyRecord, response: StoredResponse): void {
    const name = nameOf(record);
    // An expired one keeps its place otherwise.
    this.#delete(name);
    const { fingerprint, expiresAt } = record;
    const stored = { expiresAt, replay: this.#replays.add({ fingerprint, response }) };
    this.#records.set(name, stored);
    this.#bytes += bytesOf(name, stored);
    const { number, bytes } = this.#bound;
    while (this.#records.size > number || this.#bytes > bytes) this.#delete(this.#oldest.next().value ?? "");
  }

  forget(now: number): void {
    for (const [name, { expiresAt }] of this.#records) {
      if (expiresAt > now) break;
      this.#delete(name);
    }
    // V8 keeps what was deleted since an iterator was last used.
    this.#oldest = this.#records.keys();
  }

  #delete(name: string): void {
    const stored = this.#records.get(name);
    if (stored === undefined) return;
    this.#records.delete(name);
    this.#replays.remove(stored.replay);
    this.#bytes -= bytesOf(name, stored);
  }
}

/** Key ids of a seed have no spaces. */
const nameOf = ({ scope, key }: Key): string => `${scope} ${key}`;

/** What the objects of a record take, in bytes. */
const objects = 200;

const bytesOf = (name: string, { replay }: Stored): number => objects + name.length + sizeOf(replay);
