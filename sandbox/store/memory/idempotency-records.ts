import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/writes.ts";
import type { Bound } from "./bounds.ts";
import { PackedRecords, type Place } from "./packed-records.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

/** The idempotency records. All live equally long; beyond the bound the oldest go. */
export class IdempotencyRecords {
  readonly #bound: Bound;
  /** The oldest first. */
  readonly #places = new Map<string, Place>();
  /** Kept, because a new one passes all places of those that are gone. */
  #oldest = this.#places.keys();
  readonly #records = new PackedRecords();

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  find(key: Key, now: number): Replay | undefined {
    const place = this.#places.get(nameOf(key));
    if (place === undefined) return undefined;
    const { expiresAt, ...replay } = this.#read(place);
    return expiresAt <= now ? undefined : replay;
  }

  insert(record: IdempotencyRecord, { status, body }: StoredResponse): void {
    const name = nameOf(record);
    // An expired one keeps its place otherwise.
    this.#delete(name);
    const { fingerprint, expiresAt } = record;
    // The body is JSON already: quoted again it would be longer.
    const place = this.#records.addLine(`${expiresAt}\t${fingerprint}\t${status}\t${body}`);
    this.#places.set(name, place);
    const { number, bytes } = this.#bound;
    while (this.#places.size > number || this.#exceeds(bytes)) this.#delete(this.#oldest.next().value ?? "");
  }

  /** Records go in the order in which they came, so a block is in use as a whole or not at all. */
  #exceeds(bytes: number): boolean {
    return this.#places.size > 0 && this.#records.bytes + objects * this.#places.size > bytes;
  }

  forget(now: number): void {
    for (const [name, place] of this.#places) {
      if (this.#read(place).expiresAt > now) break;
      this.#delete(name);
    }
    // V8 keeps what was deleted since an iterator was last used.
    this.#oldest = this.#places.keys();
  }

  #read(place: Place): Replay & { expiresAt: number } {
    const line = this.#records.readLine(place);
    const [expiresAt = "", fingerprint = "", status = ""] = line.split("\t", 3);
    const body = line.slice(expiresAt.length + fingerprint.length + status.length + 3);
    return { expiresAt: Number(expiresAt), fingerprint, response: { status: Number(status), body } };
  }

  #delete(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    this.#places.delete(name);
    this.#records.remove(place);
  }
}

/** Key ids of a seed have no spaces. */
const nameOf = ({ scope, key }: Key): string => `${scope} ${key}`;

/** What V8 takes for a record beside what is packed, in bytes. */
const objects = 200;
