import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { limits } from "../../generated/limits.ts";
import type { LoggedRequest } from "../domain/records.ts";

const retention = limits.callLog * 24 * 60 * 60 * 1000;

/** The call log. Calls are gathered in memory and written with the next commit. */
export class RequestLog {
  readonly #numberIn: (id: string) => number;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #newest: StatementSync;
  readonly #newestOf: StatementSync;
  readonly #place: StatementSync;
  readonly #oldest: StatementSync;
  readonly #deleteUpTo: StatementSync;
  #gathered: LoggedRequest[] = [];

  constructor(database: DatabaseSync, numberIn: (id: string) => number) {
    this.#numberIn = numberIn;
    // Ignored where there is one of that number already: a row of the log must never undo the mail of its turn.
    this.#insert = database.prepare("INSERT OR IGNORE INTO call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#find = database.prepare("SELECT * FROM call WHERE seq = ? AND id = ?");
    this.#newest = database.prepare("SELECT * FROM call WHERE seq < ? ORDER BY seq DESC LIMIT ?");
    this.#newestOf = database.prepare(
      "SELECT * FROM call WHERE seq < ? AND account = ? ORDER BY seq DESC LIMIT ?",
    );
    this.#place = database.prepare("SELECT seq FROM call WHERE seq = ? AND id = ?");
    this.#oldest = database.prepare("SELECT seq, at FROM call ORDER BY seq");
    this.#deleteUpTo = database.prepare("DELETE FROM call WHERE seq <= ?");
  }

  get gathered(): number {
    return this.#gathered.length;
  }

  gather(call: LoggedRequest): void {
    this.#gathered.push(call);
  }

  writeGathered(): void {
    const calls = this.#gathered;
    if (calls.length === 0) return;
    // Before they are written: what cannot be must not meet the next commit as well.
    this.#gathered = [];
    for (const call of calls) {
      const { requestId, accountId, method, path, status, errorType, fields, at } = call;
      const names = fields.length === 0 ? "[]" : JSON.stringify(fields);
      this.#insert.run(
        this.#numberIn(requestId),
        requestId,
        accountId,
        method,
        path,
        status,
        errorType,
        names,
        at,
      );
    }
  }

  find(requestId: string): LoggedRequest | undefined {
    const row = this.#find.get(this.#numberIn(requestId), requestId);
    return row && fromRow(row);
  }

  list(query: { accountId?: string; limit: number; before?: string }): LoggedRequest[] {
    const end =
      query.before === undefined
        ? Number.MAX_SAFE_INTEGER
        : Number(this.#place.get(this.#numberIn(query.before), query.before)?.seq ?? 0);
    const rows =
      query.accountId === undefined
        ? this.#newest.all(end, query.limit)
        : this.#newestOf.all(end, query.accountId, query.limit);
    return rows.map(fromRow);
  }

  forget(now: number): void {
    let last: number | undefined;
    for (const row of this.#oldest.iterate()) {
      if ((row.at as number) > now - retention) break;
      last = row.seq as number;
    }
    if (last !== undefined) this.#deleteUpTo.run(last);
  }
}

const fromRow = (row: Record<string, SQLOutputValue>): LoggedRequest => ({
  requestId: row.id as string,
  accountId: row.account as string,
  method: row.method as string,
  path: row.path as string,
  status: row.status as number,
  errorType: row.error_type as string | null,
  fields: JSON.parse(row.fields as string),
  at: row.at as number,
});
