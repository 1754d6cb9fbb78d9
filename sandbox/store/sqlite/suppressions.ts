import type { DatabaseSync } from "node:sqlite";
import type { Suppression } from "../../domain/store.ts";

const statements = (database: DatabaseSync) => ({
  all: database.prepare("SELECT account, address, reason, at FROM suppression ORDER BY seq"),
  insert: database.prepare("INSERT INTO suppression VALUES (NULL, ?, ?, ?, ?)"),
  delete: database.prepare("DELETE FROM suppression WHERE account = ? AND address = ?"),
});

/** The table of suppressed email addresses; all of them are in memory too, since every send looks them up. */
export class Suppressions {
  readonly #sql: ReturnType<typeof statements>;
  readonly #accounts = new Map<string, Map<string, Suppression>>();

  constructor(database: DatabaseSync) {
    this.#sql = statements(database);
    this.reload();
  }

  /** The suppressed ones of the addresses. */
  among(account: string, addresses: string[]): Set<string> {
    const known = this.#accounts.get(account);
    if (known === undefined || known.size === 0) return new Set();
    return new Set(addresses.filter((address) => known.has(address)));
  }

  /** Keeps the first reason. */
  add(account: string, suppression: Suppression): void {
    const { address, reason, at } = suppression;
    if (this.#remember(account, suppression)) this.#sql.insert.run(account, address, reason, at);
  }

  remove(account: string, address: string): boolean {
    this.#sql.delete.run(account, address);
    return this.#accounts.get(account)?.delete(address) ?? false;
  }

  list(account: string): Suppression[] {
    return [...(this.#accounts.get(account)?.values() ?? [])].map((entry) => ({ ...entry }));
  }

  reload(): void {
    this.#accounts.clear();
    for (const { account, ...suppression } of this.#sql.all.iterate())
      this.#remember(account as string, suppression as unknown as Suppression);
  }

  #remember(account: string, suppression: Suppression): boolean {
    const known = this.#accounts.get(account) ?? new Map<string, Suppression>();
    this.#accounts.set(account, known);
    if (known.has(suppression.address)) return false;
    known.set(suppression.address, { ...suppression });
    return true;
  }
}
