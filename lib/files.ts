import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** Generated files: their text by path, relative to a folder. */
export type Files = ReadonlyMap<string, string>;

/** The change to one file, with its path relative to the folder. */
export interface FileChange {
  file: string;
  status: "created" | "updated" | "removed" | "unchanged";
}

/** The changes that writing the files would make, sorted by path. Writes nothing. */
export async function compareChanges(folder: string, files: Files): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const [file, text] of files) {
    const existing = await readFile(join(folder, file), "utf8").catch(() => undefined);
    const status = existing === undefined ? "created" : existing === text ? "unchanged" : "updated";
    changes.push({ file, status });
  }
  return changes.sort(byFile);
}

/** The files in the folder that are not among the given ones, as removals. */
export async function leftovers(folder: string, files: Files): Promise<FileChange[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !files.has(file))
    .map((file): FileChange => ({ file, status: "removed" }))
    .sort(byFile);
}

/**
 * Writes the files that differ and returns all changes. Writes under temporary names first and then renames, so that an
 * error leaves the old files intact.
 */
export async function writeChanges(folder: string, files: Files): Promise<FileChange[]> {
  const changes = await compareChanges(folder, files);
  const pending: { temporary: string; target: string }[] = [];
  try {
    for (const { file } of changes.filter(({ status }) => status !== "unchanged")) {
      const target = join(folder, file);
      const temporary = `${target}.${process.pid}.tmp`;
      await mkdir(dirname(target), { recursive: true });
      pending.push({ temporary, target });
      await writeFile(temporary, files.get(file) ?? "");
    }
    for (const { temporary, target } of pending) await rename(temporary, target);
  } finally {
    for (const { temporary } of pending) await rm(temporary, { force: true });
  }
  return changes;
}

const byFile = (one: FileChange, other: FileChange): number => (one.file < other.file ? -1 : 1);
