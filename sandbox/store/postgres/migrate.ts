import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import type { DatabaseAddress } from "./address.ts";
import { clientOptions } from "./connections.ts";
import { migrations } from "./schema.ts";

/** Any number that is the same for all instances. */
const migrationLock = 7_245_106_913;

/** "The database system is starting up." */
const starting = "57P03";

/** How long to wait for a database that is starting, in milliseconds. */
const patience = 30_000;

/**
 * Creates or updates the tables, once, however many instances start at the same time.
 *
 * @throws UserError if the database cannot be reached, belongs to a newer version, or has other tables in the schema
 */
export async function migrate(address: DatabaseAddress): Promise<void> {
  const client = await connected(address);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await update(client, address);
  } catch (error) {
    throw denied(error, address);
  } finally {
    await client.end();
  }
}

async function update(client: pg.Client, { shown }: DatabaseAddress): Promise<void> {
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

/** A database that is starting is waited for: containers start at the same time. */
async function connected(address: DatabaseAddress): Promise<pg.Client> {
  const end = performance.now() + patience;
  for (;;) {
    const client = new pg.Client(clientOptions(address.url));
    // The query in progress rejects too.
    client.on("error", () => {});
    try {
      return await client.connect();
    } catch (error) {
      const isStarting = error instanceof Error && "code" in error && error.code === starting;
      if (!isStarting || performance.now() > end) throw notReached(error, address);
      await wait(200);
    }
  }
}

const notReached = (cause: unknown, { shown }: DatabaseAddress): UserError =>
  new UserError(`the database ${shown} cannot be reached: ${reasonOf(cause)}`, {
    hint: "Check that it is running, and the variables PGUSER, PGPASSWORD and PGSSLMODE.",
    cause,
  });

/** "Insufficient privilege" */
const isDenied = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "42501";

const denied = (error: unknown, { shown }: DatabaseAddress): unknown =>
  isDenied(error)
    ? new UserError(`the user of the database ${shown} must not create tables: ${reasonOf(error)}`, {
        hint: "Grant CREATE on the database, once.",
        cause: error,
      })
    : error;

/** The first of several attempts, such as on IPv6 and IPv4. It never has the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
