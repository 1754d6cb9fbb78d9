import { type Generated, sql } from "kysely";
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
  "1 tables": {
    async up(db) {
      for (const statement of isPostgres ? [...tables(true), ...rateTables] : tables(false))
        await sql.raw(statement).execute(db);
    },
  },
});

function tables(isPostgres: boolean): string[] {
  const seq = isPostgres ? "seq bigserial primary key" : "seq integer primary key";
  // Pages are in the order of the bytes, whatever the locale of the database.
  const ordered = isPostgres ? 'text collate "C"' : "text";
  return [
    "create table settings (name text primary key, value text not null)",
    `create table messages (
      ${seq}, id text not null unique, account text not null, listed integer not null,
      due_at bigint, over_at bigint, summary text not null, content text not null
    )`,
    "create index messages_due on messages (due_at, seq) where due_at is not null",
    `create table contacts (
      account text not null, email ${ordered} not null, record text not null,
      constraint contacts_key primary key (account, email)
    )`,
    `create table suppressions (
      ${seq}, account text not null, address text not null, reason text not null, at bigint not null,
      constraint suppressions_key unique (account, address)
    )`,
    `create table idempotency (
      scope text not null, key text not null, fingerprint text not null,
      status integer not null, body text not null, expires_at bigint not null,
      constraint idempotency_key primary key (scope, key)
    )`,
    `create table usage (
      account text not null, month integer not null, recipients bigint not null,
      constraint usage_key primary key (account, month)
    )`,
    `create table requests (
      ${seq}, id text not null unique, account text not null, at bigint not null, record text not null
    )`,
  ];
}

/**
 * A crash of the database may forget the last minute: commits to these tables then need not wait for the disk. `counted` says whether the last
 * request was counted: 1 or 0.
 */
const rateTables = [
  "create unlogged table rate_windows (account text primary key, used integer not null, counted integer not null)",
  `create unlogged table rate_requests (
    account text not null, at bigint not null, count integer not null,
    constraint rate_requests_key primary key (account, at)
  )`,
];
