import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { IdempotencyRecord, Replay, StoredResponse } from "../domain/store.ts";

type Name = Pick<IdempotencyRecord, "scope" | "key">;

type Row = Record<string, SQLOutputValue>;

/**
 * The table of the work that callers named, and what was answered. Where each name stands is in memory: names are random more often than not, and
 * with an index in the database every insert would change a page of its own, which the commit then has to write. Since a day may have very many, only
 * a digest of each is in memory, and the row tells whether it is that name.
 */
export class IdempotencyRecords {
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #oldest: StatementSync;
  readonly #deleteUpTo: StatementSync;
  /** By the digest of a name, the newest row that has a name of that digest. */
  readonly #newest = new Map<number, number>();
  /** By row, the next older one with a name of the same digest. */
  readonly #older = new Map<number, number>();
  /** What was there before the names that are not kept yet: all of them are too many to be read again because a commit failed. */
  #before: [digest: number, seq: number | undefined][] = [];

  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      "SELECT scope, key, fingerprint, status, body, expires_at FROM work WHERE seq = ?",
    );
    this.#insert = database.prepare("INSERT INTO work VALUES (NULL, ?, ?, ?, ?, ?, ?)");
    this.#oldest = database.prepare("SELECT seq, expires_at FROM work ORDER BY seq");
    this.#deleteUpTo = database.prepare("DELETE FROM work WHERE seq <= ?");
    const all = database.prepare("SELECT seq, scope, key FROM work ORDER BY seq");
    for (const { seq, scope, key } of all.iterate()) {
      this.#place(digestOf({ scope: scope as string, key: key as string }), seq as number);
    }
  }

  find(name: Name, now: number): Replay | undefined {
    const row = this.#row(name);
    if (row === undefined || (row.expires_at as number) <= now) return undefined;
    return {
      fingerprint: row.fingerprint as string,
      response: { status: row.status as number, body: row.body as string },
    };
  }

  insert(work: IdempotencyRecord, answer: StoredResponse): void {
    const { scope, key, fingerprint, expiresAt } = work;
    const row = this.#insert.run(scope, key, fingerprint, answer.status, answer.body, expiresAt);
    const digest = digestOf(work);
    this.#before.push([digest, this.#newest.get(digest)]);
    this.#place(digest, row.lastInsertRowid as number);
  }

  /** All names live equally long, so that the oldest go first. */
  forget(now: number): void {
    let last: number | undefined;
    for (const row of this.#oldest.iterate()) {
      if ((row.expires_at as number) > now) break;
      last = row.seq as number;
    }
    if (last === undefined) return;
    this.#deleteUpTo.run(last);
    for (const [digest, seq] of this.#newest) {
      if (seq > last) continue;
      this.#before.push([digest, seq]);
      this.#newest.delete(digest);
    }
    for (const seq of this.#older.keys()) if (seq <= last) this.#older.delete(seq);
  }

  /** What was written until now is kept. */
  keep(): void {
    this.#before = [];
  }

  /** Nothing was kept of what was written since the last time. */
  takeBack(): void {
    for (const [digest, seq] of this.#before.reverse()) {
      if (seq === undefined) this.#newest.delete(digest);
      else this.#newest.set(digest, seq);
    }
    this.#before = [];
  }

  #place(digest: number, seq: number): void {
    const last = this.#newest.get(digest);
    this.#newest.set(digest, seq);
    // A row that was taken back leaves its number to another.
    if (last === undefined) this.#older.delete(seq);
    else this.#older.set(seq, last);
  }

  #row({ scope, key }: Name): Row | undefined {
    let seq = this.#newest.get(digestOf({ scope, key }));
    while (seq !== undefined) {
      const row = this.#find.get(seq);
      if (row === undefined || (row.scope === scope && row.key === key)) return row;
      seq = this.#older.get(seq);
    }
    return undefined;
  }
}

/** 32 bits made of a name (FNV-1a): of a hundred thousand names, one or two share theirs with another. */
function digestOf({ scope, key }: Name): number {
  let digest = 0x811c9dc5;
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  };
  add(scope);
  add(key);
  return digest;
}
