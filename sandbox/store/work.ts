import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { IdempotentWork, Replay, StoredAnswer } from "./store.ts";

type Name = Pick<IdempotentWork, "scope" | "key">;

/** The rows of the names of one scope. */
type Keys = Map<string, number>;

/**
 * The table of the work that callers named, and what was answered. Where each name stands is in memory: names are random more often than not, and
 * with an index in the database every insert would change a page of its own, which the commit then has to write.
 */
export class Works {
  readonly #all: StatementSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #oldest: StatementSync;
  readonly #deleteUpTo: StatementSync;
  /** By scope and key, the row that has the name now. */
  readonly #scopes = new Map<string, Keys>();
  /** What was there before the names that are not kept yet: all of them are too many to be read again because a commit failed. */
  #before: [keys: Keys, key: string, seq: number | undefined][] = [];

  constructor(database: DatabaseSync) {
    this.#all = database.prepare("SELECT seq, scope, key FROM work ORDER BY seq");
    this.#find = database.prepare("SELECT fingerprint, status, body, expires_at FROM work WHERE seq = ?");
    this.#insert = database.prepare("INSERT INTO work VALUES (NULL, ?, ?, ?, ?, ?, ?)");
    this.#oldest = database.prepare("SELECT seq, expires_at FROM work ORDER BY seq");
    this.#deleteUpTo = database.prepare("DELETE FROM work WHERE seq <= ?");
    for (const { seq, scope, key } of this.#all.iterate()) {
      this.#keysOf(scope as string).set(key as string, seq as number);
    }
  }

  find({ scope, key }: Name, now: number): Replay | undefined {
    const seq = this.#scopes.get(scope)?.get(key);
    const row = seq === undefined ? undefined : this.#find.get(seq);
    if (row === undefined || (row.expires_at as number) <= now) return undefined;
    return {
      fingerprint: row.fingerprint as string,
      answer: { status: row.status as number, body: row.body as string },
    };
  }

  insert(work: IdempotentWork, answer: StoredAnswer): void {
    const { scope, key, fingerprint, expiresAt } = work;
    const row = this.#insert.run(scope, key, fingerprint, answer.status, answer.body, expiresAt);
    const keys = this.#keysOf(scope);
    this.#before.push([keys, key, keys.get(key)]);
    keys.set(key, row.lastInsertRowid as number);
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
    for (const keys of this.#scopes.values()) {
      for (const [key, seq] of keys) {
        if (seq > last) continue;
        this.#before.push([keys, key, seq]);
        keys.delete(key);
      }
    }
  }

  /** What was written until now is kept. */
  keep(): void {
    this.#before = [];
  }

  /** Nothing was kept of what was written since the last time. */
  takeBack(): void {
    for (const [keys, key, seq] of this.#before.reverse()) {
      if (seq === undefined) keys.delete(key);
      else keys.set(key, seq);
    }
    this.#before = [];
  }

  #keysOf(scope: string): Keys {
    let keys = this.#scopes.get(scope);
    if (keys === undefined) {
      keys = new Map();
      this.#scopes.set(scope, keys);
    }
    return keys;
  }
}
