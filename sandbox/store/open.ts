import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Mistake } from "../mistake.ts";
import { applicationId, schema, schemaVersion, tables } from "./schema.ts";

/** The database inside a data folder. */
export const databaseName = "sandbox.db";

/**
 * How much of a database without a folder stays in memory, in KiB; the rest goes to a file without a name, which goes with the process. Not more, since
 * each commit walks through all changed pages in memory: with 32 MiB that costs twice as much as everything else.
 */
const memory = 4 * 1024;

/** Where SQLite looks for a place for files without a name. */
const temporaryFolders = [process.env.SQLITE_TMPDIR, process.env.TMPDIR, "/var/tmp", "/usr/tmp", "/tmp", "."];

/**
 * A database that nothing is left of, with its tables: in memory, and in a file without a name once it is large. Where no such file can be made, all of it
 * stays in memory.
 */
export function openMemory(): DatabaseSync {
  const spills = temporaryFolders.some((folder) => folder !== undefined && isWritable(folder));
  const database = new DatabaseSync(spills ? "" : ":memory:");
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${memory}; ${schema}`);
  return database;
}

/**
 * The database of a data folder, with its tables. It belongs to this process alone until it is closed or the process ends, however it ends.
 *
 * @throws Mistake when the folder cannot be used: in use, not writable, or holding something that this program did not write
 */
export function openFolder(folder: string): DatabaseSync {
  const file = join(folder, databaseName);
  makeWritable(folder);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // Held from the first read on: a second process is refused at once, and no shared memory is needed.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    checkOwner(database, file);
    // FULL: a commit is on the disk before anybody hears of it. Checkpoints are made when idle; this is only an upper bound (64 MiB).
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16384");
    prepareTables(database);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof Mistake ? error : explained(error, folder, file);
  }
}

/** Empties all tables in one transaction. */
export function empty(database: DatabaseSync): void {
  database.exec(`BEGIN; ${tables.map((table) => `DELETE FROM ${table};`).join(" ")} COMMIT`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Mistake(
      `the data folder ${folder} cannot be written to`,
      "Give a folder of your own with --data, or leave it out to keep everything in memory.",
      { cause: error },
    );
  }
}

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? { value: 0 })[0]);

function checkOwner(database: DatabaseSync, file: string): void {
  const mark = numberOf(database, "application_id");
  const version = numberOf(database, "user_version");
  if (numberOf(database, "schema_version") !== 0 && mark !== applicationId) {
    throw new Mistake(`${file} belongs to another program`, "Give another folder with --data.");
  }
  if (version > schemaVersion) {
    throw new Mistake(
      `${file} was written by a newer version (its tables have version ${version}, this program knows ${schemaVersion})`,
      "Use that version, or give another folder with --data.",
    );
  }
}

function prepareTables(database: DatabaseSync): void {
  if (numberOf(database, "user_version") === schemaVersion) return;
  // One transaction: after a crash there are all tables or none.
  database.exec(
    `BEGIN; ${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`,
  );
}

const resultCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

const busy = 5;
const notADatabase = 26;

function explained(error: unknown, folder: string, file: string): Mistake {
  const cause = { cause: error };
  switch (resultCode(error)) {
    case busy:
      return new Mistake(
        `the data folder ${folder} is in use by another sandbox`,
        "Stop that one first, or give another folder with --data.",
        cause,
      );
    case notADatabase:
      return new Mistake(
        `${file} is not a database`,
        "Move it away, or give another folder with --data.",
        cause,
      );
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return new Mistake(`${file} cannot be opened: ${reason}`, "Give another folder with --data.", cause);
    }
  }
}
