import type { DatabaseSync, StatementSync } from "node:sqlite";

interface Suppression {
  address: string;
  reason: string;
  at: number;
}

/** The addresses that are not written to any more, by account: all of them in memory, since every send asks. */
export class Suppressions {
  readonly #all: StatementSync;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #accounts = new Map<string, Map<string, Suppression>>();

  constructor(database: DatabaseSync) {
    this.#all = database.prepare("SELECT account, address, reason, at FROM suppression ORDER BY seq");
    this.#insert = database.prepare("INSERT INTO suppression VALUES (NULL, ?, ?, ?, ?)");
    this.#delete = database.prepare("DELETE FROM suppression WHERE account = ? AND address = ?");
    this.reload();
  }

  /** Those of the addresses that are suppressed. */
  among(account: string, addresses: string[]): Set<string> {
    const known = this.#accounts.get(account);
    if (known === undefined || known.size === 0) return new Set();
    return new Set(addresses.filter((address) => known.has(address)));
  }

  /** The first reason stays. */
  add(account: string, suppression: Suppression): void {
    if (this.#remember(account, suppression)) {
      this.#insert.run(account, suppression.address, suppression.reason, suppression.at);
    }
  }

  remove(account: string, address: string): boolean {
    this.#delete.run(account, address);
    return this.#accounts.get(account)?.delete(address) ?? false;
  }

  list(account: string): Suppression[] {
    return [...(this.#accounts.get(account)?.values() ?? [])].map((entry) => ({ ...entry }));
  }

  reload(): void {
    this.#accounts.clear();
    for (const { account, address, reason, at } of this.#all.iterate()) {
      this.#remember(account as string, {
        address: address as string,
        reason: reason as string,
        at: at as number,
      });
    }
  }

  #remember(account: string, suppression: Suppression): boolean {
    let known = this.#accounts.get(account);
    if (known === undefined) {
      known = new Map();
      this.#accounts.set(account, known);
    }
    if (known.has(suppression.address)) return false;
    known.set(suppression.address, { ...suppression });
    return true;
  }
}
