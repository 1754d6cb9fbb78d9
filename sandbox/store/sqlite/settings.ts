import type { DatabaseSync, StatementSync } from "node:sqlite";

/** The table of settings; all of them are in memory too. */
export class Settings {
  readonly #all: StatementSync;
  readonly #write: StatementSync;
  readonly #delete: StatementSync;
  readonly #values = new Map<string, string>();

  constructor(database: DatabaseSync) {
    this.#all = database.prepare("SELECT name, value FROM setting");
    this.#write = database.prepare(
      "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
    this.#delete = database.prepare("DELETE FROM setting WHERE name = ?");
    this.reload();
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Deletes it without a value. */
  set(name: string, value: string | undefined): void {
    if (value === undefined) {
      this.#delete.run(name);
      this.#values.delete(name);
    } else if (value !== this.#values.get(name)) {
      this.#write.run(name, value);
      this.#values.set(name, value);
    }
  }

  reload(): void {
    this.#values.clear();
    for (const row of this.#all.iterate()) this.#values.set(row.name as string, row.value as string);
  }
}
