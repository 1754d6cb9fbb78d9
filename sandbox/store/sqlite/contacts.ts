import type { DatabaseSync } from "node:sqlite";
import type { Contact } from "../../domain/records.ts";

const statements = (database: DatabaseSync) => ({
  find: database.prepare("SELECT data FROM contact WHERE account = ? AND email = ?"),
  page: database.prepare("SELECT data FROM contact WHERE account = ? AND email > ? ORDER BY email LIMIT ?"),
  write: database.prepare(
    `INSERT INTO contact VALUES (NULL, ?, ?, ?)
    ON CONFLICT (account, email) DO UPDATE SET data = excluded.data`,
  ),
});

/** The table of contacts. */
export class Contacts {
  readonly #sql: ReturnType<typeof statements>;

  constructor(database: DatabaseSync) {
    this.#sql = statements(database);
  }

  find(accountId: string, email: string): Contact | undefined {
    const row = this.#sql.find.get(accountId, email);
    return row && JSON.parse(row.data as string);
  }

  page(query: { accountId: string; limit: number; after?: string }): Contact[] {
    const rows = this.#sql.page.all(query.accountId, query.after ?? "", query.limit);
    return rows.map((row) => JSON.parse(row.data as string));
  }

  write(contact: Contact): void {
    this.#sql.write.run(contact.accountId, contact.email, JSON.stringify(contact));
  }
}
