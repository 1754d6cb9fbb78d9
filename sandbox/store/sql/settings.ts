import type { Kysely } from "kysely";
import { type SettingChange, stateSetting } from "../../domain/store.ts";
import type { Database } from "./database.ts";
import type { Queries } from "./queries.ts";
import type { Tables } from "./tables.ts";

/** The setting with the last number that an instance has reserved. */
const sequenceSetting = "sequence";

/** Numbers that an instance reserves at once, and how many it has at least at the start of a request: a batch has 100 messages. */
const reserved = 1_000;
const leastReserved = 250;

/** The settings as this instance knows them, and the numbers that it has reserved. */
export class Settings {
  readonly #database: Database;
  readonly #queries: Queries;
  #settings: ReadonlyMap<string, string> = new Map();
  /** How many changes of settings this instance has made. */
  #changes = 0;
  #lastChange: Promise<unknown> = Promise.resolve();
  #lastRead: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #sequence = { next: 1, last: 0 };
  #reserving: Promise<void> | undefined;

  constructor(database: Database, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  /** Reads what other instances may have changed. */
  async readChanges(): Promise<void> {
    // Of SQLite, no other process changes them.
    if (this.#database.driver.isPostgres) await this.#readWithOthers();
    await this.#reserveIfFew();
  }

  get(name: string): string | undefined {
    return this.#settings.get(name);
  }

  change<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result> {
    // One after the other: otherwise the last one to commit is perhaps not the last one to return.
    const changed = this.#lastChange.then(() => this.#change(name, change));
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /** A number that no other instance gets. */
  nextNumber(): number {
    const { next, last } = this.#sequence;
    if (next > last) throw new Error("no numbers are reserved");
    this.#sequence.next += 1;
    return next;
  }

  /** Reads everything, after the store was filled. */
  async read(): Promise<void> {
    await this.#readSettings();
    await this.#reserveIfFew();
  }

  async #change<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result> {
    const { lockSettings, setting } = this.#queries;
    const { value, result } = await this.#database.transaction(async (db) => {
      await lockSettings(db, { name: stateSetting });
      const [row] = await setting(db, { name });
      const changed = change(row?.value);
      if (changed.value !== row?.value) await writeSetting(db, name, changed.value);
      return changed;
    });
    const settings = new Map(this.#settings);
    if (value === undefined) settings.delete(name);
    else settings.set(name, value);
    this.#settings = settings;
    this.#changes += 1;
    return result;
  }

  /** Requests that come in during a read share the next one. */
  #readWithOthers(): Promise<void> {
    this.#nextRead ??= this.#lastRead.then(() => {
      this.#nextRead = undefined;
      const read = this.#readSettings();
      this.#lastRead = read.catch(() => {});
      return read;
    });
    return this.#nextRead;
  }

  async #readSettings(): Promise<void> {
    const changes = this.#changes;
    const rows = await this.#database.run((db) => this.#queries.settings(db, {}));
    // They may be those of before a change.
    if (changes !== this.#changes) return this.#readSettings();
    const before = this.#settings.get(stateSetting);
    this.#settings = new Map(rows.map(({ name, value }) => [name, value]));
    if (this.#settings.get(stateSetting) !== before) this.#sequence = { next: 1, last: 0 };
  }

  async #reserveIfFew(): Promise<void> {
    if (this.#sequence.last - this.#sequence.next >= leastReserved) return;
    this.#reserving ??= this.#reserve().finally(() => {
      this.#reserving = undefined;
    });
    await this.#reserving;
  }

  async #reserve(): Promise<void> {
    const [row] = await this.#database.run((db) =>
      this.#queries.reserve(db, { name: sequenceSetting, count: String(reserved) }),
    );
    const last = Number(row?.value);
    const first = last - reserved + 1;
    // Without a gap, unless another instance has reserved numbers in between.
    const next = first === this.#sequence.last + 1 ? this.#sequence.next : first;
    this.#sequence = { next, last };
  }
}

export async function writeSetting(
  db: Kysely<Tables>,
  name: string,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) await db.deleteFrom("settings").where("name", "=", name).execute();
  else
    await db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
}
