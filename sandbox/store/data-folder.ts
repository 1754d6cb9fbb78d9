import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { UserError } from "../../lib/user-error.ts";
import { holdFile } from "./database-file.ts";
import { type DatabaseSource, rest } from "./database-source.ts";
import { createNext, type Generation, openNewest, remove, removeNow } from "./generations.ts";
import { type Beginning, begin } from "./schema.ts";

/**
 * The place of a database in a folder. Each reset begins a file of its own, with a number that grows; of those that count, the newest does. One that is
 * ready for the next reset waits beside it: what is left of a reset is one small commit.
 *
 * @throws UserError when the folder cannot be used: in use, not writable, or holding something that this program did not write
 */
export function folderSource(folder: string): DatabaseSource {
  makeWritable(folder);
  const lock = holdFile(join(folder, "sandbox.lock"));
  try {
    return new FolderPlace(folder, lock, openNewest(folder));
  } catch (error) {
    lock.close();
    throw error;
  }
}

class FolderPlace implements DatabaseSource {
  readonly lasting = true;
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
    this.#tidyLater();
  }

  renew(settings: Beginning): DatabaseSync {
    const fresh = this.#spare ?? createNext(this.#folder, this.#current);
    this.#spare = undefined;
    try {
      begin(fresh.database, settings);
    } catch (error) {
      // The next start must not find it either.
      fresh.database.close();
      removeNow(this.#folder, fresh.generation);
      throw error;
    }
    this.#replaced.push(this.#current);
    this.#current = fresh;
    this.#tidyLater();
    return fresh.database;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#spare !== undefined) this.#replaced.push(this.#spare);
    this.#letGo();
    await this.#removed;
    this.#lock.close();
  }

  /** Once nobody waits for the reset any more. */
  #tidyLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#letGo();
      try {
        this.#spare ??= createNext(this.#folder, this.#current);
      } catch {
        // Then the next reset makes its own, or says why not.
      }
    }, rest).unref();
  }

  #letGo(): void {
    for (const { database, generation } of this.#replaced) {
      // What it folds into its file now, nobody is going to read.
      database.exec("PRAGMA synchronous = OFF");
      database.close();
      // Should that fail, the next start takes it away.
      this.#removed = this.#removed.then(() => remove(this.#folder, generation)).catch(() => {});
    }
    this.#replaced = [];
  }
}

function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UserError(`the data folder ${folder} cannot be written to`, {
      hint: "Give a folder of your own with --data, or leave it out to keep everything in memory.",
      cause: error,
    });
  }
}
