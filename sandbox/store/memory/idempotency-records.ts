import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/store.ts";
import type { Bound } from "./bounds.ts";
import { PackedRecords, type RecordLocation } from "./packed-records.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

/** The idempotency records. All live equally long; beyond the bound the oldest go. */
export class IdempotencyRecords {
  readonly #bound: Bound;
  /** The oldest first. */
  readonly #locations = new Map<string, RecordLocation>();
  /**
   * Kept from the first deletion on, because a new one passes all places of those that are gone. Not created before: V8 keeps the
   * tables that the map has outgrown for an iterator that waits.
   */
  #oldest: Iterator<string> | undefined;
  readonly #records = new PackedRecords();

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  find(key: Key, now: number): Replay | undefined {
    const location = this.#locations.get(nameOf(key));
    if (location === undefined) return undefined;
    const { expiresAt, ...replay } = this.#read(location);
    return expiresAt <= now ? undefined : replay;
  }

  insert(record: IdempotencyRecord, { status, body }: StoredResponse): void {
    const name = nameOf(record);
    // An expired one keeps its place in the order otherwise.
    this.#delete(name);
    const { fingerprint, expiresAt } = record;
    // The body is JSON already: quoted again it would be longer.
    const location = this.#records.addLine(`${expiresAt}\t${fingerprint}\t${status}\t${body}`);
    this.#locations.set(name, location);
    const { number, bytes } = this.#bound;
    while (this.#locations.size > number || this.#exceeds(bytes)) this.#deleteOldest();
  }

  #deleteOldest(): void {
    this.#oldest ??= this.#locations.keys();
    this.#delete(this.#oldest.next().value ?? "");
  }

  /** Records go in the order in which they came, so a block is in use as a whole or not at all. */
  #exceeds(bytes: number): boolean {
    return this.#locations.size > 0 && this.#records.bytes + objects * this.#locations.size > bytes;
  }

  forget(now: number): void {
    for (const [name, location] of this.#locations) {
      if (this.#read(location).expiresAt > now) break;
      this.#delete(name);
    }
    // V8 keeps what was deleted since an iterator was last used.
    this.#oldest = undefined;
  }

  #read(location: RecordLocation): Replay & { expiresAt: number } {
    const line = this.#records.readLine(location);
    const [expiresAt = "", fingerprint = "", status = ""] = line.split("\t", 3);
    const body = line.slice(expiresAt.length + fingerprint.length + status.length + 3);
    return { expiresAt: Number(expiresAt), fingerprint, response: { status: Number(status), body } };
  }

  #delete(name: string): void {
    const location = this.#locations.get(name);
    if (location === undefined) return;
    this.#locations.delete(name);
    this.#records.remove(location);
  }
}

/** Key ids of a seed have no spaces. A template literal would take 48 bytes more: V8 keeps its parts. */
const nameOf = ({ scope, key }: Key): string => [scope, key].join(" ");

/** What V8 takes for a record beside what is packed, in bytes. */
const objects = 200;
