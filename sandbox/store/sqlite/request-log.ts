import type { DatabaseSync } from "node:sqlite";
import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Page } from "../../domain/store.ts";
import { fieldsOf, type RequestRow, requestFrom } from "../request-rows.ts";

const statements = (database: DatabaseSync) => ({
  // Ignores a number that exists already: a row of the log must never roll back messages.
  insert: database.prepare("INSERT OR IGNORE INTO request VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
  find: database.prepare("SELECT * FROM request WHERE seq = ? AND id = ?"),
  newest: database.prepare("SELECT * FROM request WHERE seq < ? ORDER BY seq DESC LIMIT ?"),
  newestOf: database.prepare("SELECT * FROM request WHERE seq < ? AND account = ? ORDER BY seq DESC LIMIT ?"),
  oldest: database.prepare("SELECT seq, at FROM request ORDER BY seq"),
  deleteUpTo: database.prepare("DELETE FROM request WHERE seq <= ?"),
});

/** The table of logged requests. They are gathered in memory and written with the next commit. */
export class RequestLog {
  readonly #numberIn: (id: string) => number;
  readonly #sql: ReturnType<typeof statements>;
  #gathered: LoggedRequest[] = [];

  constructor(database: DatabaseSync, numberIn: (id: string) => number) {
    this.#numberIn = numberIn;
    this.#sql = statements(database);
  }

  get gathered(): number {
    return this.#gathered.length;
  }

  gather(request: LoggedRequest): void {
    this.#gathered.push(request);
  }

  writeGathered(): void {
    const requests = this.#gathered;
    if (requests.length === 0) return;
    // Before the inserts: a request that fails must not make the next commit fail too.
    this.#gathered = [];
    for (const request of requests) {
      const { requestId, accountId, method, path, status, errorType, at } = request;
      const seq = this.#numberIn(requestId);
      this.#sql.insert.run(seq, requestId, accountId, method, path, status, errorType, fieldsOf(request), at);
    }
  }

  find(requestId: string): LoggedRequest | undefined {
    const row = this.#sql.find.get(this.#numberIn(requestId), requestId) as RequestRow | undefined;
    return row && requestFrom(row);
  }

  list({ accountId, limit, before }: Page): LoggedRequest[] {
    const end =
      before === undefined
        ? Number.MAX_SAFE_INTEGER
        : Number(this.#sql.find.get(this.#numberIn(before), before)?.seq ?? 0);
    const { newest, newestOf } = this.#sql;
    const rows = accountId === undefined ? newest.all(end, limit) : newestOf.all(end, accountId, limit);
    return (rows as unknown as RequestRow[]).map(requestFrom);
  }

  forget(now: number): void {
    let last: number | undefined;
    for (const row of this.#sql.oldest.iterate()) {
      if ((row.at as number) > now - keptFor.requests) break;
      last = row.seq as number;
    }
    if (last !== undefined) this.#sql.deleteUpTo.run(last);
  }
}
