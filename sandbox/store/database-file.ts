import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UserError } from "../../lib/user-error.ts";
import { applicationId, schemaVersion } from "./schema.ts";

/**
 * Opens a database of this program, or a file that is to become one. It belongs to this process alone until it is closed or the process ends, however
 * it ends.
 *
 * @param prepare what else has to go well
 * @throws UserError when it cannot be used: in use, not readable, or not written by this program
 */
export function openFile(file: string, prepare: (database: DatabaseSync) => void = () => {}): DatabaseSync {
  return guarded(file, (database) => {
    // Held from the first read on: a second process is refused at once, and no shared memory is needed.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    checkOwner(database, file);
    // FULL: a commit is on the disk before anybody hears of it. Checkpoints are made when idle; this is only an upper bound (128 MiB).
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 32768");
    prepare(database);
  });
}

/**
 * Holds a file that nothing is ever written to, as long as the process lives and the file is not closed.
 *
 * @throws UserError when another process holds it
 */
export function holdFile(file: string): DatabaseSync {
  return guarded(file, (database) =>
    // In memory: otherwise there would be a journal beside it, for nothing.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"),
  );
}

/** Whether it counts: what was begun and not finished does not. */
export const counts = (database: DatabaseSync): boolean => numberOf(database, "user_version") > 0;

function guarded(file: string, begin: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    begin(database);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof UserError ? error : explained(error, file);
  }
}

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? { value: 0 })[0]);

function checkOwner(database: DatabaseSync, file: string): void {
  const mark = numberOf(database, "application_id");
  const version = numberOf(database, "user_version");
  if (numberOf(database, "schema_version") !== 0 && mark !== applicationId) {
    throw new UserError(`${file} belongs to another program`, { hint: "Give another folder with --data." });
  }
  if (version !== 0 && version !== schemaVersion) {
    const age = version > schemaVersion ? "a newer" : "an older";
    throw new UserError(
      `${file} was written by ${age} version (its tables have version ${version}, this program knows ${schemaVersion})`,
      { hint: "Use that version, or give another folder with --data." },
    );
  }
}

const resultCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

const busy = 5;
const notADatabase = 26;

function explained(error: unknown, file: string): UserError {
  const cause = { cause: error };
  switch (resultCode(error)) {
    case busy:
      return new UserError(`the data folder ${dirname(file)} is in use by another sandbox`, {
        hint: "Stop that one first, or give another folder with --data.",
        ...cause,
      });
    case notADatabase:
      return new UserError(`${file} is not a database`, {
        hint: "Move it away, or give another folder with --data.",
        ...cause,
      });
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return new UserError(`${file} cannot be opened: ${reason}`, {
        hint: "Give another folder with --data.",
        ...cause,
      });
    }
  }
}
