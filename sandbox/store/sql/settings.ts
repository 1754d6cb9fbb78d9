import type { Kysely } from "kysely";
import { type Store, stateSetting } from "../../domain/store.ts";
import type { Database } from "./database.ts";
import type { Queries } from "./queries.ts";
import type { Tables } from "./tables.ts";

/** The setting with the last number that an instance has reserved. */
const sequenceSetting = "sequence";

/** Numbers that an instance reserves at once, and how many it has at least at the start of a request: a batch has 100 messages. */
const reserved = 1_000;
const leastReserved = 250;

export type Settings = ReturnType<typeof createSettings>;

/** The settings as this instance knows them, and the numbers that it has reserved. */
export function createSettings(database: Database, queries: Queries) {
  let settings: ReadonlyMap<string, string> = new Map();
  /** How many changes of settings this instance has made. */
  let changes = 0;
  let lastChange: Promise<unknown> = Promise.resolve();
  let lastRead: Promise<void> = Promise.resolve();
  let nextRead: Promise<void> | undefined;
  let sequence = { next: 1, last: 0 };
  let reserving: Promise<void> | undefined;
  const readSettings = async (): Promise<void> => {
    const before = changes;
    const rows = await database.run((db) => queries.settings(db, {}));
    // They may be those of before a change.
    if (changes !== before) return readSettings();
    const state = settings.get(stateSetting);
    settings = new Map(rows.map(({ name, value }) => [name, value]));
    if (settings.get(stateSetting) !== state) sequence = { next: 1, last: 0 };
  };
  /** Requests that come in during a read share the next one. */
  const readWithOthers = (): Promise<void> => {
    nextRead ??= lastRead.then(() => {
      nextRead = undefined;
      const read = readSettings();
      lastRead = read.catch(() => {});
      return read;
    });
    return nextRead;
  };
  const reserve = async (): Promise<void> => {
    const [row] = await database.run((db) =>
      queries.reserve(db, { name: sequenceSetting, count: String(reserved) }),
    );
    const last = Number(row?.value);
    const first = last - reserved + 1;
    // Without a gap, unless another instance has reserved numbers in between.
    sequence = { next: first === sequence.last + 1 ? sequence.next : first, last };
  };
  const reserveIfFew = async (): Promise<void> => {
    if (sequence.last - sequence.next >= leastReserved) return;
    reserving ??= reserve().finally(() => {
      reserving = undefined;
    });
    await reserving;
  };
  const changeOne: Store["changeSetting"] = async (name, change) => {
    const { value, result } = await database.transaction(async (db) => {
      await queries.lockSettings(db, { name: stateSetting });
      const [row] = await queries.setting(db, { name });
      const changed = change(row?.value);
      if (changed.value !== row?.value) await writeSetting(db, name, changed.value);
      return changed;
    });
    const changed = new Map(settings);
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
    settings = changed;
    changes += 1;
    return result;
  };
  const change: Store["changeSetting"] = (name, work) => {
    // One after the other: otherwise the last one to commit is perhaps not the last one to return.
    const changed = lastChange.then(() => changeOne(name, work));
    lastChange = changed.catch(() => {});
    return changed;
  };
  return {
    change,
    /** Reads what other instances may have changed. */
    async readChanges(): Promise<void> {
      // Of SQLite, no other process changes them.
      if (database.driver.isPostgres) await readWithOthers();
      await reserveIfFew();
    },
    get: (name: string): string | undefined => settings.get(name),
    /** A number that no other instance gets. */
    nextNumber(): number {
      const { next, last } = sequence;
      if (next > last) throw new Error("no numbers are reserved");
      sequence.next += 1;
      return next;
    },
    /** Reads everything, after the store was filled. */
    async read(): Promise<void> {
      await readSettings();
      await reserveIfFew();
    },
  };
}

export async function writeSetting(db: Kysely<Tables>, name: string, value: string | undefined) {
  if (value === undefined) await db.deleteFrom("settings").where("name", "=", name).execute();
  else
    await db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
}
