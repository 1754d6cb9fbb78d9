import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/store.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

type Stored = Replay & { expiresAt: number };

/** The most records: beyond it the oldest go. */
const most = 100_000;

/** The idempotency records, the oldest first: all live equally long. */
export class IdempotencyRecords {
  readonly #records = new Map<string, Stored>();

  find(key: Key, now: number): Replay | undefined {
    const found = this.#records.get(nameOf(key));
    if (found === undefined || found.expiresAt <= now) return undefined;
    return { fingerprint: found.fingerprint, response: found.response };
  }

  insert(record: IdempotencyRecord, response: StoredResponse): void {
    const name = nameOf(record);
    // An expired one keeps its place otherwise.
    this.#records.delete(name);
    this.#records.set(name, { fingerprint: record.fingerprint, expiresAt: record.expiresAt, response });
    if (this.#records.size > most) this.#deleteFirst();
  }

  forget(now: number): void {
    for (const [name, { expiresAt }] of this.#records) {
      if (expiresAt > now) return;
      this.#records.delete(name);
    }
  }

  #deleteFirst(): void {
    for (const name of this.#records.keys()) {
      this.#records.delete(name);
      return;
    }
  }
}

/** Key ids of a seed have no spaces. */
const nameOf = ({ scope, key }: Key): string => `${scope} ${key}`;
