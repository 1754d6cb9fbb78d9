import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/store.ts";

type Key = Pick<IdempotencyRecord, "scope" | "key">;

type Row = Record<string, SQLOutputValue>;

const statements = (database: DatabaseSync) => ({
  find: database.prepare(
    "SELECT scope, key, fingerprint, status, body, expires_at FROM idempotency_record WHERE seq = ?",
  ),
  insert: database.prepare("INSERT INTO idempotency_record VALUES (NULL, ?, ?, ?, ?, ?, ?)"),
  oldest: database.prepare("SELECT seq, expires_at FROM idempotency_record ORDER BY seq"),
  deleteUpTo: database.prepare("DELETE FROM idempotency_record WHERE seq <= ?"),
});

/**
 * The table of idempotency records. The index is in memory: keys are usually random, so that each insert into an index of the database would
 * change, and the commit write, another page. A day may have very many keys: only a digest of each is in memory, and the row has the key.
 */
export class IdempotencyRecords {
  readonly #sql: ReturnType<typeof statements>;
  /** By digest, the newest row with a key of that digest. */
  readonly #newest = new Map<number, number>();
  /** By row, the next older one with a key of the same digest. */
  readonly #older = new Map<number, number>();
  /** The entries of `#newest` before the current transaction: reading all keys again after a rollback would take too long. */
  #before: [digest: number, seq: number | undefined][] = [];

  constructor(database: DatabaseSync) {
    this.#sql = statements(database);
    const all = database.prepare("SELECT seq, scope, key FROM idempotency_record ORDER BY seq");
    for (const { seq, scope, key } of all.iterate()) {
      this.#index(digestOf({ scope: scope as string, key: key as string }), seq as number);
    }
  }

  find(key: Key, now: number): Replay | undefined {
    const row = this.#row(key);
    if (row === undefined || (row.expires_at as number) <= now) return undefined;
    return {
      fingerprint: row.fingerprint as string,
      response: { status: row.status as number, body: row.body as string },
    };
  }

  insert(record: IdempotencyRecord, { status, body }: StoredResponse): void {
    const { scope, key, fingerprint, expiresAt } = record;
    const { lastInsertRowid } = this.#sql.insert.run(scope, key, fingerprint, status, body, expiresAt);
    const digest = digestOf(record);
    this.#before.push([digest, this.#newest.get(digest)]);
    this.#index(digest, lastInsertRowid as number);
  }

  /** All records live equally long: the oldest expire first. */
  forget(now: number): void {
    let last: number | undefined;
    for (const row of this.#sql.oldest.iterate()) {
      if ((row.expires_at as number) > now) break;
      last = row.seq as number;
    }
    if (last === undefined) return;
    this.#sql.deleteUpTo.run(last);
    for (const [digest, seq] of this.#newest) {
      if (seq > last) continue;
      this.#before.push([digest, seq]);
      this.#newest.delete(digest);
    }
    for (const seq of this.#older.keys()) if (seq <= last) this.#older.delete(seq);
  }

  afterCommit(): void {
    this.#before = [];
  }

  afterRollback(): void {
    for (const [digest, seq] of this.#before.reverse()) {
      if (seq === undefined) this.#newest.delete(digest);
      else this.#newest.set(digest, seq);
    }
    this.#before = [];
  }

  #index(digest: number, seq: number): void {
    const last = this.#newest.get(digest);
    this.#newest.set(digest, seq);
    // After a rollback the number of a row is used again.
    if (last === undefined) this.#older.delete(seq);
    else this.#older.set(seq, last);
  }

  #row({ scope, key }: Key): Row | undefined {
    let seq = this.#newest.get(digestOf({ scope, key }));
    while (seq !== undefined) {
      const row = this.#sql.find.get(seq);
      if (row === undefined || (row.scope === scope && row.key === key)) return row;
      seq = this.#older.get(seq);
    }
    return undefined;
  }
}

/** 32 bits (FNV-1a): of a hundred thousand keys, one or two share a digest. */
function digestOf({ scope, key }: Key): number {
  let digest = 0x811c9dc5;
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  };
  add(scope);
  add(key);
  return digest;
}
