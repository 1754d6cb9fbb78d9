import { readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { counts, openFile } from "./database-file.ts";
import { createAndBegin, createTables } from "./schema.ts";

/** A database and the number in its name. */
export interface Generation {
  generation: number;
  database: DatabaseSync;
}

/** The file of a generation: the first, and one for each reset. */
const fileOf = (folder: string, generation: number): string =>
  join(folder, generation === 0 ? "sandbox.db" : `sandbox.generation-${generation}.db`);

/** What SQLite puts beside a database. The file itself comes last: as long as it is there, all of it is found and taken away again. */
const endings = ["-wal", "-journal", "-shm", ""];

const fileName = /^sandbox(?:\.generation-([1-9]\d{0,14}))?\.db(-wal|-journal|-shm)?$/;

/** One for the next reset. It does not count yet. */
export function createNext(folder: string, { generation: last }: Generation): Generation {
  const generation = last + 1;
  removeNow(folder, generation);
  return { generation, database: openFile(fileOf(folder, generation), createTables) };
}

/** The one that counts; a first one where there is none. All others are taken away. */
export function openNewest(folder: string): Generation {
  const [generation = 0, ...older] = generationsIn(folder);
  const database = openFile(fileOf(folder, generation), (found) => {
    if (older.length === 0 && !counts(found)) createAndBegin(found);
  });
  if (counts(database)) {
    removeOthers(folder, generation);
    return { generation, database };
  }
  // A reset that did not come to its commit.
  database.close();
  removeNow(folder, generation);
  return openNewest(folder);
}

/** The generations that have a file in the folder, the newest first. */
function generationsIn(folder: string): number[] {
  const found = filesIn(folder).filter(({ ending }) => ending === "");
  return found.map(({ generation }) => generation).sort((one, other) => other - one);
}

/** Takes all files of all other generations away. */
function removeOthers(folder: string, kept: number): void {
  const others = new Set(filesIn(folder).map(({ generation }) => generation));
  others.delete(kept);
  for (const generation of others) removeNow(folder, generation);
}

export function removeNow(folder: string, generation: number): void {
  for (const ending of endings) rmSync(fileOf(folder, generation) + ending, { force: true });
}

/** The same while other work goes on. */
export async function remove(folder: string, generation: number): Promise<void> {
  for (const ending of endings) await rm(fileOf(folder, generation) + ending, { force: true });
}

function filesIn(folder: string): { generation: number; ending: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const found = fileName.exec(name);
    return found === null ? [] : [{ generation: Number(found[1] ?? 0), ending: found[2] ?? "" }];
  });
}
