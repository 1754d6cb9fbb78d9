import { type Generated, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The tables. Records are JSON, beside the columns that queries need: a new property of a record needs no change here. Times are milliseconds
 * since 1970.
 */
export interface Tables {
  settings: { name: string; value: string };
  messages: {
    /** The order of acceptance. */
    seq: Generated<number>;
    id: string;
    account: string;
    /** 0 for a message that no request has sent. */
    listed: number;
    due_at: number | null;
    /** When it is forgotten. */
    over_at: number | null;
    /** A `MessageSummary`. */
    summary: string;
    /** Apart, because lists and steps do not read it. */
    content: string;
  };
  contacts: { account: string; email: string; record: string };
  suppressions: { seq: Generated<number>; account: string; address: string; reason: string; at: number };
  idempotency: {
    scope: string;
    key: string;
    fingerprint: string;
    status: number;
    body: string;
    expires_at: number;
  };
  /** Recipients by month. */
  usage: { account: string; month: number; recipients: number };
  requests: { seq: Generated<number>; id: string; account: string; at: number; record: string };
  /** Requests by account, and by account and time. In PostgreSQL only: a single process counts them in memory. */
  rate_windows: { account: string; used: number; counted: number };
  rate_requests: { account: string; at: number; count: number };
}

/** In the order in which transactions lock them. */
export const tableNames = [
  "settings",
  "idempotency",
  "contacts",
  "suppressions",
  "messages",
  "usage",
  "requests",
] as const;

/** @param isPostgres otherwise SQLite */
export const migrationsFor = (isPostgres: boolean): Record<string, Migration> => ({
  "1 tables": { up: (db) => createTables(db, isPostgres) },
});

async function createTables(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  const { schema } = db;
  const numbered = (name: string) =>
    isPostgres
      ? schema.createTable(name).addColumn("seq", "bigserial", (column) => column.primaryKey())
      : schema.createTable(name).addColumn("seq", "integer", (column) => column.primaryKey());
  await schema
    .createTable("settings")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await numbered("messages")
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("listed", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("over_at", "bigint")
    .addColumn("summary", "text", (column) => column.notNull())
    .addColumn("content", "text", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("messages_due")
    .on("messages")
    .columns(["due_at", "seq"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await schema
    .createTable("contacts")
    .addColumn("account", "text", (column) => column.notNull())
    // Pages are in the order of the bytes, whatever the locale of the database.
    .addColumn("email", isPostgres ? sql`text collate "C"` : "text", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("contacts_key", ["account", "email"])
    .execute();
  await numbered("suppressions")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("suppressions_key", ["account", "address"])
    .execute();
  await schema
    .createTable("idempotency")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("idempotency_key", ["scope", "key"])
    .execute();
  await schema
    .createTable("usage")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("recipients", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["account", "month"])
    .execute();
  await numbered("requests")
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .execute();
  if (isPostgres) await createRateTables(db);
}

/** A crash of the database may forget the last minute: commits to these tables then need not wait for the disk. */
async function createRateTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("rate_windows")
    .modifyFront(sql`unlogged`)
    .addColumn("account", "text", (column) => column.primaryKey())
    .addColumn("used", "integer", (column) => column.notNull())
    // Whether the last request was counted: 1 or 0.
    .addColumn("counted", "integer", (column) => column.notNull())
    .execute();
  await schema
    .createTable("rate_requests")
    .modifyFront(sql`unlogged`)
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("rate_requests_key", ["account", "at"])
    .execute();
}
