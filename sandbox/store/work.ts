import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { IdempotentWork, Replay, StoredAnswer } from "./store.ts";

type Name = Pick<IdempotentWork, "scope" | "key">;

/** The table of the work that callers named, and what was answered. */
export class Works {
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #oldest: StatementSync;
  readonly #deleteUpTo: StatementSync;

  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      `SELECT fingerprint, status, body FROM work
      WHERE hash = ? AND scope = ? AND key = ? AND expires_at > ? ORDER BY seq DESC LIMIT 1`,
    );
    this.#insert = database.prepare("INSERT INTO work VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)");
    this.#oldest = database.prepare("SELECT seq, expires_at FROM work ORDER BY seq");
    this.#deleteUpTo = database.prepare("DELETE FROM work WHERE seq <= ?");
  }

  find(name: Name, now: number): Replay | undefined {
    const row = this.#find.get(hashOf(name), name.scope, name.key, now);
    if (row === undefined) return undefined;
    return {
      fingerprint: row.fingerprint as string,
      answer: { status: row.status as number, body: row.body as string },
    };
  }

  insert(work: IdempotentWork, answer: StoredAnswer): void {
    const { scope, key, fingerprint, expiresAt } = work;
    this.#insert.run(hashOf(work), scope, key, fingerprint, answer.status, answer.body, expiresAt);
  }

  /** All names live equally long, so that the oldest go first. */
  forget(now: number): void {
    let last: number | undefined;
    for (const row of this.#oldest.iterate()) {
      if ((row.expires_at as number) > now) break;
      last = row.seq as number;
    }
    if (last !== undefined) this.#deleteUpTo.run(last);
  }
}

/**
 * FNV-1a, 32 bits. Names are random more often than not, and an index of whole names would have every insert change a page of its own: of these small
 * numbers many more fit on one. Two names with the same number are told apart by their text.
 */
function hashOf({ scope, key }: Name): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < scope.length; at += 1) hash = Math.imul(hash ^ scope.charCodeAt(at), 0x01000193);
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
