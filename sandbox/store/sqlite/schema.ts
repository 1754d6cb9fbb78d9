import type { DatabaseSync } from "node:sqlite";

/** Increased with each change of the tables. The file has it as `user_version` once it is active. */
export const schemaVersion = 3;

/** Identifies the files of the sandbox ("mail" in ASCII), so that it never writes to another program's database. */
export const applicationId = 0x6d61696c;

/**
 * The tables. Each has an increasing integer key, so that a new row goes to the end; for messages and requests it is the number in their
 * ids, which then need no index. The content of a message is apart, because a row that changes is written as a whole.
 */
const tables = `
PRAGMA application_id = ${applicationId};
CREATE TABLE message (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  scheduled_at INTEGER,
  sent_at INTEGER,
  due_at INTEGER,
  envelope TEXT NOT NULL,
  progress TEXT NOT NULL
);
CREATE INDEX message_due ON message (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE content (seq INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE idempotency_record (
  seq INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE TABLE contact (
  seq INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  email TEXT NOT NULL,
  data TEXT NOT NULL,
  UNIQUE (account, email)
);
CREATE TABLE suppression (
  seq INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  address TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (account, address)
);
CREATE TABLE quota (account TEXT NOT NULL, month INTEGER NOT NULL, used INTEGER NOT NULL, UNIQUE (account, month));
CREATE TABLE request (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  error_type TEXT,
  fields TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE TABLE setting (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
`;

/** Writes what a database starts with, in the transaction that activates it. */
export type Fill = (database: DatabaseSync) => void;

/** Creates all tables. The database is not active yet. */
export function createTables(database: DatabaseSync): void {
  transaction(database, () => database.exec(tables));
}

/** Activates a database with tables. */
export function activate(database: DatabaseSync, fill: Fill): void {
  transaction(database, () => {
    fill(database);
    mark(database);
  });
}

/** Both in one transaction: after a crash there is all of it or nothing. */
export function createActive(database: DatabaseSync): void {
  transaction(database, () => {
    database.exec(tables);
    mark(database);
  });
}

const mark = (database: DatabaseSync): void => database.exec(`PRAGMA user_version = ${schemaVersion}`);

function transaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN");
  work();
  database.exec("COMMIT");
}
