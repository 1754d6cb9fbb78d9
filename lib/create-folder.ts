import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

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
