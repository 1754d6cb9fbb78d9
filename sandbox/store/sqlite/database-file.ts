import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UserError } from "../../../lib/user-error.ts";
import { applicationId, schemaVersion } from "./schema.ts";

/**
 * Opens a database of the sandbox, or creates its file. The process has it exclusively until it closes it or ends, however it ends.
 *
 * @param prepare runs before the function returns; its errors count as errors of opening
 * @throws UserError when the file is in use, not readable, damaged, or of another program
 */
export function openFile(file: string, prepare: (database: DatabaseSync) => void = () => {}): DatabaseSync {
  return guarded(file, (database) => {
    // Locked from the first read on: a second process fails at once, and no shared memory is needed.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    checkOwner(database, file);
    checkIntact(database, file);
    // FULL: a commit is on the disk before its promises resolve. Checkpoints run when idle; 32768 pages (128 MiB) is only an upper bound.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 32768");
    prepare(database);
  });
}

/**
 * Locks an empty file until it is closed or the process ends.
 *
 * @throws UserError when another process has locked it
 */
export function lockFile(file: string): DatabaseSync {
  return guarded(file, (database) =>
    // In memory: otherwise SQLite would create a journal beside it.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"),
  );
}

/** Whether the database was created completely. */
export const isActive = (database: DatabaseSync): boolean => numberOf(database, "user_version") > 0;

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
    throw new UserError(`${file} belongs to another program`, { hint: "Choose another folder with --data." });
  }
  if (version !== 0 && version !== schemaVersion) {
    const age = version > schemaVersion ? "a newer" : "an older";
    throw new UserError(
      `${file} was written by ${age} version (schema version ${version}; this one supports ${schemaVersion})`,
      { hint: "Use that version, or choose another folder with --data." },
    );
  }
}

function checkIntact(database: DatabaseSync, file: string): void {
  const { quick_check: result } = database.prepare("PRAGMA quick_check(1)").get() ?? {};
  if (result === "ok") return;
  // The first line may only name the database: "*** in database main ***".
  const lines = String(result).split("\n");
  throw damaged(file, lines.find((line) => !line.startsWith("***")) ?? "its content is not in order");
}

export const damaged = (file: string, problem: string, cause?: unknown): UserError =>
  new UserError(`${file} is damaged: ${problem}`, {
    hint: `Restore ${dirname(file)} from a copy, or move it away; then start again, or choose another folder with --data.`,
    cause,
  });

const resultCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

const busy = 5;
const ioError = 10;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

function explained(error: unknown, file: string): UserError {
  const fail = (message: string, hint: string): UserError => new UserError(message, { hint, cause: error });
  const problem = error instanceof Error ? error.message : String(error);
  switch (resultCode(error)) {
    case busy:
      return fail(
        `the data folder ${dirname(file)} is in use by another sandbox`,
        "Stop the other sandbox, or choose another folder with --data.",
      );
    case notADatabase:
      return fail(`${file} is not a database`, "Move it away, or choose another folder with --data.");
    case corrupt:
      return damaged(file, problem, error);
    case full:
    case ioError:
      return fail(
        `${file} cannot be opened: ${problem}`,
        "Free some space on its disk, or choose another folder with --data.",
      );
    default:
      return fail(`${file} cannot be opened: ${problem}`, "Choose another folder with --data.");
  }
}
