import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createFolder, folderProblem } from "../../../lib/files.ts";
import { UserError } from "../../../lib/user-error.ts";
import { lockFile } from "./database-file.ts";
import { rejectForeignFiles } from "./foreign-files.ts";
import { createNext, type Generation, openNewest, remove, removeNow } from "./generations.ts";
import { activate, type Fill } from "./schema.ts";

/** How long a replaced database waits before it is closed, in milliseconds: that takes a while if it is big, and a reset must not wait. */
const closeDelay = 500;

/**
 * A database in a folder. Each reset creates a file with the next number; the newest active one is used. A spare file with all tables is
 * prepared beforehand, so that a reset is one small commit.
 *
 * @throws UserError when the folder is in use, not readable and writable, or damaged, or has files of another program
 */
export function openDataFolder(folder: string): DataFolder {
  makeUsable(folder);
  rejectForeignFiles(folder);
  const lock = lockFile(join(folder, "sandbox.lock"));
  try {
    return new DataFolder(folder, lock, openNewest(folder));
  } catch (error) {
    lock.close();
    throw error;
  }
}

export class DataFolder {
  /** The database at the start, with its tables. */
  readonly database: DatabaseSync;
  readonly #folder: string;
  readonly #lock: DatabaseSync;
  #current: Generation;
  #spare: Generation | undefined;
  #replaced: Generation[] = [];
  #timer: NodeJS.Timeout | undefined;
  #removed: Promise<void> = Promise.resolve();

  constructor(folder: string, lock: DatabaseSync, current: Generation) {
    this.database = current.database;
    this.#folder = folder;
    this.#lock = lock;
    this.#current = current;
    this.#prepareLater();
  }

  /**
   * Replaces the database by a new one that `fill` has filled, durably when it returns; a crash before leaves the old or the new one. The old
   * one is closed later.
   */
  renew(fill: Fill): DatabaseSync {
    const fresh = this.#spare ?? createNext(this.#folder, this.#current);
    this.#spare = undefined;
    try {
      activate(fresh.database, fill);
    } catch (error) {
      // The next start must not find it.
      fresh.database.close();
      removeNow(this.#folder, fresh.generation);
      throw error;
    }
    this.#replaced.push(this.#current);
    this.#current = fresh;
    this.#prepareLater();
    return fresh.database;
  }

  /** Closes everything but the current database, which must be closed before. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#spare !== undefined) this.#replaced.push(this.#spare);
    this.#closeReplaced();
    await this.#removed;
    this.#lock.close();
  }

  #prepareLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#closeReplaced();
      try {
        this.#spare ??= createNext(this.#folder, this.#current);
      } catch {
        // Then the next reset creates its own, or reports why it cannot.
      }
    }, closeDelay).unref();
  }

  #closeReplaced(): void {
    for (const { database, generation } of this.#replaced) {
      // Its last checkpoint will never be read.
      database.exec("PRAGMA synchronous = OFF");
      database.close();
      // If this fails, the next start removes it.
      this.#removed = this.#removed.then(() => remove(this.#folder, generation)).catch(() => {});
    }
    this.#replaced = [];
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
}
