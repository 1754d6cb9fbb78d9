import type pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { onceReachable, type Waiting } from "./connect.ts";
import type { DatabaseUrl } from "./database-url.ts";
import { migrations } from "./schema.ts";

/** Any number that is the same for all instances. */
export const migrationLock = 7_245_106_913;

/** After how long it is reported that another instance is updating the tables, in milliseconds. */
const noticeDelay = 1_000;

/**
 * Creates or updates the tables, once, however many instances start at the same time.
 *
 * @throws UserError if the database cannot be used, belongs to a newer version, or has other tables in the schema
 */
export function migrate(database: DatabaseUrl, waiting: Waiting = {}): Promise<void> {
  return onceReachable(database, waiting, async (client) => {
    const notice = setTimeout(() => waiting.onError?.(otherMigrates(database)), noticeDelay);
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]).finally(() => clearTimeout(notice));
    await update(client, database);
  });
}

const otherMigrates = ({ shown }: DatabaseUrl): UserError =>
  new UserError(
    `another instance is creating or updating the tables of the database ${shown}; waiting for it`,
  );

async function update(client: pg.Client, { shown }: DatabaseUrl): Promise<void> {
  const version = await versionOf(client, shown);
  if (version > migrations.length)
    throw new UserError(`the database ${shown} belongs to a newer version of the sandbox`, {
      hint: "Update this one, or use another database.",
    });
  for (const [index, text] of migrations.entries()) {
    if (index < version) continue;
    await client.query(
      "BEGIN; CREATE SCHEMA IF NOT EXISTS email_sandbox; SET LOCAL search_path = email_sandbox",
    );
    if (index === 0)
      await client.query(
        "CREATE TABLE migration (version integer PRIMARY KEY, applied_at timestamptz DEFAULT now())",
      );
    await client.query(text);
    await client.query("INSERT INTO migration (version) VALUES ($1)", [index + 1]);
    await client.query("COMMIT");
  }
}

async function versionOf(client: pg.Client, shown: string): Promise<number> {
  const tables = await client.query(
    "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'email_sandbox'",
  );
  if (tables.rows.length === 0) return 0;
  if (!tables.rows.some(({ tablename }) => tablename === "migration"))
    throw new UserError(`the schema email_sandbox of the database ${shown} has tables of another program`, {
      hint: "Use another database.",
    });
  const versions = await client.query(
    "SELECT coalesce(max(version), 0) AS version FROM email_sandbox.migration",
  );
  return versions.rows[0].version;
}
