import type { DatabaseSync, StatementSync } from "node:sqlite";

/** The table of settings; all of them are in memory too. */
export class Settings {
  readonly #all: StatementSync;
  readonly #write: StatementSync;
  readonly #values = new Map<string, string>();

  constructor(database: DatabaseSync) {
    this.#all = database.prepare("SELECT name, value FROM setting");
    this.#write = database.prepare(
      "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
    this.reload();
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: string): void {
    this.#write.run(name, value);
    this.#values.set(name, value);
  }

  reload(): void {
    this.#values.clear();
    for (const row of this.#all.iterate()) this.#values.set(row.name as string, row.value as string);
  }
}
