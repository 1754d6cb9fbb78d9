import { accessSync, constants } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type DatabaseSource, rest } from "./database-source.ts";
import { type Beginning, createAndBegin } from "./schema.ts";

/**
 * How much of a database without a folder stays in memory, in KiB; the rest goes to a file without a name, which goes with the process. Not more, since
 * each commit walks through all changed pages in memory: with 32 MiB that costs twice as much as everything else.
 */
const memory = 1024;

/** Where SQLite looks for a place for files without a name. */
const temporaryFolders = [process.env.SQLITE_TMPDIR, process.env.TMPDIR, "/var/tmp", "/usr/tmp", "/tmp", "."];

/** The place of a database that nothing is left of when the process ends. */
export function memorySource(): DatabaseSource {
  let current = openMemory({});
  return {
    database: current,
    lasting: false,
    renew(settings) {
      const old = current;
      current = openMemory(settings);
      setTimeout(() => old.close(), rest).unref();
      return current;
    },
    close: async () => {},
  };
}

/** In memory, and in a file without a name once it is large. Where no such file can be made, all of it stays in memory. */
function openMemory(settings: Beginning): DatabaseSync {
  const spills = temporaryFolders.some((folder) => folder !== undefined && isWritable(folder));
  const database = new DatabaseSync(spills ? "" : ":memory:");
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${memory}`);
  createAndBegin(database, settings);
  return database;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
