import { readFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { UserError } from "./user-error.ts";

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

/**
 * Reads a UTF-8 text file.
 *
 * @param maxMegabytes the largest accepted size, in units of 1024 x 1024 bytes
 * @throws UserError with exit code 2 if the file is missing, unreadable, too large or not UTF-8
 */
export function readTextFile(
  path: string,
  { maxMegabytes, hint }: { maxMegabytes: number; hint: string },
): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxMegabytes * 1024 * 1024) throw new Error(`it is larger than ${maxMegabytes} MB`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const reason = reasons.get(code) ?? message;
    throw new UserError(`cannot read ${displayPath(path)}: ${reason}`, { hint, exitCode: 2, cause: error });
  }
}
