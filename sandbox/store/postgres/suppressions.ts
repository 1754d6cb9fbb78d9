import type { Suppression } from "../../domain/store.ts";
import type { Database, Statement } from "./database.ts";
import { addSuppressions, type NewSuppression, suppressionRows } from "./effects.ts";

const statements = {
  add: { name: "add_suppressions", text: addSuppressions(2) },
  remove: {
    name: "remove_suppression",
    text: "DELETE FROM suppression WHERE epoch = $1 AND account = $2 AND address = $3 RETURNING seq",
  },
  list: {
    name: "list_suppressions",
    text: "SELECT address, reason, at FROM suppression WHERE epoch = $1 AND account = $2 ORDER BY seq",
  },
} as const satisfies Record<string, Statement>;

/** The table of suppressed email addresses. */
export class Suppressions {
  readonly #database: Database;
  readonly #epoch: number;

  constructor(database: Database, epoch: number) {
    this.#database = database;
    this.#epoch = epoch;
  }

  /** Keeps the first reason. */
  async add(suppression: NewSuppression): Promise<void> {
    await this.#database.query(statements.add, [this.#epoch, ...suppressionRows([suppression])]);
  }

  async remove(account: string, address: string): Promise<boolean> {
    return (await this.#database.query(statements.remove, [this.#epoch, account, address])).length > 0;
  }

  /** In the order of their addition. */
  list(account: string): Promise<Suppression[]> {
    return this.#database.query<Suppression>(statements.list, [this.#epoch, account]);
  }
}
