import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { damaged, isActive, openFile } from "./database-file.ts";
import { createActive, createTables } from "./schema.ts";

/** A database and the number in its file name. */
export interface Generation {
  generation: number;
  database: DatabaseSync;
}

/** One file for the start, and one for each reset. */
const fileOf = (folder: string, generation: number): string =>
  join(folder, generation === 0 ? "sandbox.db" : `sandbox.generation-${generation}.db`);

/** An empty file that shows that the folder has had a database: an empty database is then damaged, not new. */
const marker = "sandbox.created";

/** The files of SQLite beside a database. The database comes last: as long as it exists, the next start finds and removes the rest. */
const endings = ["-wal", "-journal", "-shm", ""];

const fileName = /^sandbox(?:\.generation-([1-9]\d{0,14}))?\.db(-wal|-journal|-shm)?$/;

/** Creates a spare database for the next reset. It is not active yet. */
export function createNext(folder: string, { generation: last }: Generation): Generation {
  const generation = last + 1;
  removeNow(folder, generation);
  try {
    return { generation, database: openFile(fileOf(folder, generation), createTables) };
  } catch (error) {
    removeNow(folder, generation);
    throw error;
  }
}

/** Opens the newest active database, or creates the first, and removes all others. */
export function openNewest(folder: string): Generation {
  const [generation = 0, ...older] = generationsIn(folder);
  if (older.length === 0) checkNotEmptied(folder, generation);
  const database = openFile(fileOf(folder, generation), (found) => {
    if (older.length === 0 && !isActive(found)) createActive(found);
  });
  if (isActive(database)) {
    removeOthers(folder, generation);
    setMarker(folder);
    return { generation, database };
  }
  // A reset that was not committed.
  database.close();
  removeNow(folder, generation);
  return openNewest(folder);
}

/** SQLite takes an empty file for a new database, and removes the write-ahead log beside it. */
function checkNotEmptied(folder: string, generation: number): void {
  const file = fileOf(folder, generation);
  if (sizeOf(file) !== 0) return;
  const isNew = sizeOf(join(folder, marker)) === undefined && (sizeOf(`${file}-wal`) ?? 0) === 0;
  if (!isNew) throw damaged(file, "it is empty, but has had data");
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

function setMarker(folder: string): void {
  try {
    closeSync(openSync(join(folder, marker), "a"));
  } catch {
    // Without it, an emptied file looks like a new one.
  }
}

/** The generations with a database in the folder, the newest first. */
function generationsIn(folder: string): number[] {
  const found = filesIn(folder).filter(({ ending }) => ending === "");
  return found.map(({ generation }) => generation).sort((one, other) => other - one);
}

function removeOthers(folder: string, kept: number): void {
  const others = new Set(filesIn(folder).map(({ generation }) => generation));
  others.delete(kept);
  for (const generation of others) removeNow(folder, generation);
}

export function removeNow(folder: string, generation: number): void {
  for (const ending of endings) rmSync(fileOf(folder, generation) + ending, { force: true });
}

/** The same, asynchronously. */
export async function remove(folder: string, generation: number): Promise<void> {
  for (const ending of endings) await rm(fileOf(folder, generation) + ending, { force: true });
}

function filesIn(folder: string): { generation: number; ending: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const found = fileName.exec(name);
    return found === null ? [] : [{ generation: Number(found[1] ?? 0), ending: found[2] ?? "" }];
  });
}
