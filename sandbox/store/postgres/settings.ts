import type { SettingChange } from "../../domain/store.ts";
import type { Database, Session, Statement } from "./database.ts";

/** Writes settings; names and values are the parameters `$first` and the next one. */
export const writeSettings = (first: number): string =>
  `INSERT INTO setting (epoch, name, value)
    SELECT $1, name, value FROM unnest($${first}::text[], $${first + 1}::text[]) AS new (name, value) ORDER BY name
    ON CONFLICT (epoch, name) DO UPDATE SET value = excluded.value`;

/** Tells all instances to read the settings again. */
export const changeVersion = "UPDATE epoch SET settings_version = settings_version + 1 WHERE epoch = $1";

// A setting that does not exist yet has no row to lock.
const lock: Statement = {
  name: "lock_setting",
  text: "SELECT pg_advisory_xact_lock($1, hashtext('setting ' || $2))::text",
};
const find: Statement = {
  name: "find_setting",
  text: "SELECT value FROM setting WHERE epoch = $1 AND name = $2",
};
const write: Statement = {
  name: "write_setting",
  text: `WITH written AS (${writeSettings(2)}) ${changeVersion}`,
};
const remove: Statement = {
  name: "remove_setting",
  text: `WITH removed AS (DELETE FROM setting WHERE epoch = $1 AND name = $2) ${changeVersion}`,
};

/** Reads a setting that no other transaction changes until the end of this one. */
export async function lockSetting(
  transaction: Session,
  epoch: number,
  name: string,
): Promise<string | undefined> {
  const [, rows] = await Promise.all([
    transaction.query(lock, [epoch, name]),
    transaction.query<{ value: string }>(find, [epoch, name]),
  ]);
  return rows[0]?.value;
}

/** Reads and changes a setting, one instance after the other. */
export function changeSetting<Result>(
  database: Database,
  epoch: number,
  name: string,
  change: (value: string | undefined) => SettingChange<Result>,
): Promise<SettingChange<Result>> {
  return database.transaction(async (transaction) => {
    const before = await lockSetting(transaction, epoch, name);
    const changed = change(before);
    if (changed.value === before) return changed;
    if (changed.value === undefined) await transaction.commit(remove, [epoch, name]);
    else await transaction.commit(write, [epoch, [name], [changed.value]]);
    return changed;
  });
}
