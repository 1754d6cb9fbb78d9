import type { DatabaseSync } from "node:sqlite";

/** Changes whenever the tables do; kept in the file as `user_version`, once the file counts. */
export const schemaVersion = 2;

/** Marks a file as one of the sandbox ("mail" in ASCII), so that another program's database is never written to. */
export const applicationId = 0x6d61696c;

/**
 * The tables. Every one has a whole number as its key that only grows, so that a new row always goes to the end; for messages and calls it is the one
 * in their ids, which need no index then. What a message says stands apart, because a row that changes is written as a whole.
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
CREATE TABLE work (
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
CREATE TABLE call (
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

/** What a reset begins with. */
export type Beginning = Readonly<Record<string, string>>;

/** Makes all tables. The database does not count yet. */
export function createTables(database: DatabaseSync): void {
  transaction(database, () => database.exec(tables));
}

/** Lets a database with tables count from now on, with these settings in it. */
export function begin(database: DatabaseSync, settings: Beginning): void {
  transaction(database, () => mark(database, settings));
}

/** Both in one: after a crash there is all of it or nothing. */
export function createAndBegin(database: DatabaseSync, settings: Beginning = {}): void {
  transaction(database, () => {
    database.exec(tables);
    mark(database, settings);
  });
}

function mark(database: DatabaseSync, settings: Beginning): void {
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
  const insert = database.prepare("INSERT INTO setting VALUES (?, ?)");
  for (const [name, value] of Object.entries(settings)) insert.run(name, value);
}

function transaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN");
  work();
  database.exec("COMMIT");
}
