import { accessSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from "kysely";
import { createFolder, folderProblem } from "../../../lib/files.ts";
import { UserError } from "../../../lib/user-error.ts";
import { RateWindows } from "../../domain/rate-windows.ts";
import { Database, type SqlDriver } from "./database.ts";

const fileName = "sandbox.sqlite";

/** Identifies the files of the sandbox ("mail" in ASCII), so that it never writes to another program's database. */
const applicationId = 0x6d61696c;

/**
 * Opens the database in a folder, or creates it. The process has it exclusively until it closes it or ends, however it ends.
 * @throws UserError when the folder is in use, not readable and writable, or damaged, or has files of another program
 */
export async function openSqlite(folder: string): Promise<Database> {
  makeUsable(folder);
  const file = join(folder, fileName);
  let native: DatabaseSync | undefined;
  try {
    native = new DatabaseSync(file, { timeout: 0 });
    prepareFile(native, file);
    const database = new Database(driverOf(native));
    await database.migrate();
    return database;
  } catch (error) {
    native?.close();
    throw error instanceof UserError ? error : explained(error, file, folder);
  }
}

function makeUsable(folder: string): void {
  try {
    createFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UserError(folderProblem("data", folder), {
      hint: "Choose another folder with --data, or omit it to keep everything in memory.",
      cause: error,
    });
  }
  const names = readdirSync(folder).sort();
  if (names.includes(fileName)) return;
  // Systems put hidden files into folders, and lost+found at the root of a volume.
  const [foreign] = names.filter((name) => !/^(\..*|lost\+found|sandbox\.sqlite-.*)$/.test(name));
  if (foreign !== undefined)
    throw new UserError(`the data folder ${folder} has other files, such as ${foreign}`, {
      hint: "Choose a new or empty folder with --data: the sandbox keeps its database there.",
    });
}

function prepareFile(native: DatabaseSync, file: string): void {
  // Locked from the first read on: a second process fails at once, and no shared memory is needed.
  native.exec("PRAGMA locking_mode = EXCLUSIVE");
  const numberOf = (pragma: string): unknown =>
    Object.values(native.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  const isNew = numberOf("schema_version") === 0;
  if (!isNew && numberOf("application_id") !== applicationId)
    throw new UserError(`${file} belongs to another program`, { hint: "Choose another folder with --data." });
  const { quick_check: result } = native.prepare("PRAGMA quick_check(1)").get() ?? {};
  if (result !== "ok") throw damaged(file, String(result).split("\n").at(-1) ?? "");
  // A commit survives the end of the process. It is not on the disk before the next checkpoint: a power failure may lose the last ones.
  native.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (isNew) native.exec(`PRAGMA application_id = ${applicationId}`);
}

const damaged = (file: string, problem: string, cause?: unknown): UserError =>
  new UserError(`${file} is damaged: ${problem}`, {
    hint: "Restore its folder from a copy, or move it away; then start again, or choose another folder with --data.",
    cause,
  });

/** The primary result code of SQLite; 0 for any other error. */
const resultCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

const codes = { busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 };

function explained(error: unknown, file: string, folder: string): unknown {
  const problem = error instanceof Error ? error.message : String(error);
  const fail = (message: string, hint: string): UserError => new UserError(message, { hint, cause: error });
  switch (resultCode(error)) {
    case 0:
      if (!/corrupted migrations/.test(problem)) return error;
      return fail(
        `${file} was written by a newer version`,
        "Use that version, or choose another folder with --data.",
      );
    case codes.busy:
      return fail(
        `the data folder ${folder} is in use by another sandbox`,
        "Stop the other sandbox, or choose another folder with --data.",
      );
    case codes.notADatabase:
      return fail(`${file} is not a database`, "Move it away, or choose another folder with --data.");
    case codes.corrupt:
      return damaged(file, problem, error);
    default:
      return fail(
        `${file} cannot be opened: ${problem}`,
        "Free some space on its disk, or choose another folder with --data.",
      );
  }
}

function driverOf(native: DatabaseSync): SqlDriver {
  const rates = { windows: new RateWindows() };
  return {
    isPostgres: false,
    dialect: new SqliteDialect({ database: asKyselyExpects(native) }),
    strings: (list) => sql`(select value from json_each(${list}))`,
    entries: (list) => sql`json_each(${list}) as item`,
    // No other process has the database open.
    countRequest: (_, accountId, now, limit) => rates.windows.count(accountId, now, limit),
    async resetRates() {
      rates.windows = new RateWindows();
    },
    isConflict: () => false,
    isFailure: (error) => (Object.values(codes) as number[]).includes(resultCode(error)),
    reasonOf: (error) => (error as Error).message,
  };
}

/** More different statements than that come from lists of different lengths. */
const mostStatements = 200;

/** Kysely expects the API of `better-sqlite3`, and prepares a statement for each query. Preparing it once saves most of its time. */
function asKyselyExpects(native: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => native.close(),
    prepare(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      if (statements.size >= mostStatements) statements.clear();
      const statement = statementOf(native, text);
      statements.set(text, statement);
      return statement;
    },
  };
}

function statementOf(native: DatabaseSync, text: string): SqliteStatement {
  const prepared = native.prepare(text);
  // Kysely has values of unknown types.
  const values = (parameters: readonly unknown[]) => parameters as (string | number | null)[];
  return {
    reader: prepared.columns().length > 0,
    all: (parameters) => prepared.all(...values(parameters)),
    run(parameters) {
      // A full disk has already ended the transaction.
      if (text === "rollback" && !native.isTransaction) return { changes: 0, lastInsertRowid: 0 };
      return prepared.run(...values(parameters));
    },
    iterate: (parameters) => prepared.iterate(...values(parameters)),
  };
}
