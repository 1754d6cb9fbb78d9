import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Contact } from "../domain/records.ts";

/** The table of contacts. */
export class Contacts {
  readonly #find: StatementSync;
  readonly #page: StatementSync;
  readonly #write: StatementSync;

  constructor(database: DatabaseSync) {
    this.#find = database.prepare("SELECT data FROM contact WHERE account = ? AND email = ?");
    this.#page = database.prepare(
      "SELECT data FROM contact WHERE account = ? AND email > ? ORDER BY email LIMIT ?",
    );
    this.#write = database.prepare(
      `INSERT INTO contact VALUES (NULL, ?, ?, ?)
      ON CONFLICT (account, email) DO UPDATE SET data = excluded.data`,
    );
  }

  find(accountId: string, email: string): Contact | undefined {
    const row = this.#find.get(accountId, email);
    return row && JSON.parse(row.data as string);
  }

  page(query: { accountId: string; limit: number; after?: string }): Contact[] {
    const rows = this.#page.all(query.accountId, query.after ?? "", query.limit);
    return rows.map((row) => JSON.parse(row.data as string));
  }

  write(contact: Contact): void {
    this.#write.run(contact.accountId, contact.email, JSON.stringify(contact));
  }
}
