import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { usageError } from "./user-error.ts";

/** The text of a file of the project, which a clone has and the package too. @param path relative to the root */
export const projectFile = (path: string): string =>
  readFileSync(join(dirname(findPackageJSON(import.meta.url) ?? ""), path), "utf8");

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

/** The files in the folder and those below it that are not among the given ones, as removals; none if there is no such folder. */
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

export const byFile = (one: FileChange, other: FileChange): number => (one.file < other.file ? -1 : 1);

const reasons = new Map([
  ["ENOENT", "there is no such file"],
  ["EACCES", "permission denied"],
  ["EISDIR", "it is a directory"],
  ["ERR_ENCODING_INVALID_ENCODED_DATA", "it is not UTF-8 text"],
]);

/** The path as messages name it: relative to the folder, or unchanged if it does not lie in it. Separated by `/`. */
export function displayPath(path: string, folder = process.cwd()): string {
  const inside = relative(folder, path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside.replaceAll("\\", "/") || ".";
}

/** The text of a file of a user: UTF-8, or UTF-16 with the byte order mark that Windows writes. The mark is not part of the text. */
export const readText = async (path: string): Promise<string> => decodeText(await readFile(path));

export function decodeText(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/**
 * Reads a text file.
 * @param maxMegabytes the largest accepted size, in units of 1024 x 1024 bytes
 * @throws UserError with exit code 2 if the file is missing, unreadable, too large or not UTF-8
 */
export function readTextFile(path: string, { maxMegabytes, hint }: { maxMegabytes: number; hint: string }) {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxMegabytes * 1024 * 1024) throw new Error(`it is larger than ${maxMegabytes} MB`);
    return decodeText(bytes);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw usageError(`cannot read ${displayPath(path)}: ${reasons.get(code) ?? message}`, hint, error);
  }
}

/**
 * Creates a folder and those above it. `mkdir` with `recursive` does not return if a folder exists in which nothing can be created, such as
 * `/proc`.
 */
export function createFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * A folder is not created from what may be the URL of something, or the settings of a connection: its name would show the password.
 * @throws UserError that never quotes the value
 */
export function assertFolder(option: string, name: string, hint: string): void {
  // These are paths, which may contain any character.
  if (/^(\.{0,2}\/(?!\/)|[a-z]:[\\/])/i.test(name)) return;
  if (/^[a-z][a-z\d+.-]+:|[@=;?]/i.test(name))
    throw usageError(
      `${option} looks like a URL or a connection, not like a folder`,
      `Write ./ before a path with @, =, ; or ?. ${hint}`,
    );
}

/** Why a folder cannot be used. @param kind what it is for, such as "data" */
export function folderProblem(kind: string, folder: string): string {
  if (folder === "") return `the name of the ${kind} folder is empty`;
  const isOther = existsSync(folder) && !isFolder(folder);
  const problem = isOther ? "not a folder, but a file" : isReadable(folder) ? "not writable" : "not readable";
  return `the ${kind} folder ${folder} is ${problem}`;
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK);
    return true;
  } catch {
    // One that does not exist could not be created.
    return !existsSync(folder);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
