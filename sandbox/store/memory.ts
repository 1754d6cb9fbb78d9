import { accessSync, constants } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { closeDelay, type DatabaseSource } from "./database-source.ts";
import { createActive, type InitialSettings } from "./schema.ts";

/**
 * How much of the database stays in memory, in KiB; the rest goes to an unnamed file, which the process takes along. Not more, since each
 * commit walks through all changed pages in memory: with 32 MiB that costs twice as much as everything else.
 */
const memory = 1024;

/** The folders in which SQLite creates unnamed files. */
const temporaryFolders = [process.env.SQLITE_TMPDIR, process.env.TMPDIR, "/var/tmp", "/usr/tmp", "/tmp", "."];

/** A database that ends with the process. */
export function memorySource(): DatabaseSource {
  let current = openMemory({});
  return {
    database: current,
    isFile: false,
    renew(settings) {
      const old = current;
      current = openMemory(settings);
      setTimeout(() => old.close(), closeDelay).unref();
      return current;
    },
    close: async () => {},
  };
}

/** In memory, and in an unnamed file once it is large. Entirely in memory if no such file can be created. */
function openMemory(settings: InitialSettings): DatabaseSync {
  const spills = temporaryFolders.some((folder) => folder !== undefined && isWritable(folder));
  const database = new DatabaseSync(spills ? "" : ":memory:");
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${memory}`);
  createActive(database, settings);
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
