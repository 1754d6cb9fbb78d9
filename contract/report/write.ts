import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { usageError } from "../../lib/user-error.ts";
import { annotationsReport } from "./annotations.ts";
import { badgeReport } from "./badge.ts";
import { expectedFile } from "./expected-file.ts";
import { harReport } from "./har.ts";
import { htmlReport } from "./html.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { ContractResult } from "./result.ts";

/** The files of the reports; a report without a file is not written. */
export interface ReportFiles {
  json?: string;
  junit?: string;
  html?: string;
  markdown?: string;
  badge?: string;
  har?: string;
  annotations?: string;
  /** A list of expected failures, with what failed. */
  writeExpected?: string;
}

const makers: Record<keyof ReportFiles, (result: ContractResult) => string> = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
  badge: badgeReport,
  har: harReport,
  annotations: annotationsReport,
  writeExpected: expectedFile,
};
const names = Object.keys(makers) as (keyof ReportFiles)[];

/**
 * Checks before the run that every report can be written; existing files are unchanged.
 * @throws UserError with exit code 2 if one cannot be written, or two are the same file
 */
export async function mustBeWritable(files: ReportFiles): Promise<void> {
  const seen = new Map<string, string>();
  for (const { name, file } of wanted(files)) {
    const target = await targetOf(name, file);
    const other = seen.get(target.path);
    if (other !== undefined)
      throw usageError(
        `--${other} and --${name} name the same file: ${file}`,
        "Give each report a file of its own.",
      );
    seen.set(target.path, name);
    if (!target.isPlain) continue;
    const temporary = temporaryOf(target.path);
    await writeFile(temporary, "").catch(unwritable(name, file));
    await rm(temporary, { force: true });
  }
}

/**
 * Writes the reports: to temporary files first, which are then renamed, so that no report is ever incomplete.
 *
 * @returns the files, as given
 * @throws UserError with exit code 2 if one cannot be written
 */
export async function writeReports(result: ContractResult, files: ReportFiles): Promise<string[]> {
  const pending: { temporary: string; path: string; name: string; file: string }[] = [];
  try {
    for (const { name, option, file } of wanted(files)) {
      const { path, isPlain } = await targetOf(name, file);
      const temporary = isPlain ? temporaryOf(path) : path;
      pending.push({ temporary, path, name, file });
      await writeFile(temporary, makers[option](result)).catch(unwritable(name, file));
    }
    for (const { temporary, path, name, file } of pending)
      if (temporary !== path) await rename(temporary, path).catch(unwritable(name, file));
  } finally {
    for (const { temporary, path } of pending) if (temporary !== path) await rm(temporary, { force: true });
  }
  return pending.map(({ file }) => file);
}

const wanted = (files: ReportFiles): { name: string; option: keyof ReportFiles; file: string }[] =>
  names.flatMap((option) => {
    const file = files[option];
    const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return file === undefined ? [] : [{ name, option, file }];
  });

const temporaryOf = (path: string): string => `${path}.${process.pid}.tmp`;

/** The path after following links. Pipes and terminals (`isPlain: false`) are written to directly. */
async function targetOf(name: string, file: string): Promise<{ path: string; isPlain: boolean }> {
  const path = await realpath(file).catch(() => resolve(file));
  const found = await stat(path).catch(() => undefined);
  if (file === "" || found?.isDirectory() === true)
    throw usageError(
      `--${name} needs a file: ${file === "" ? "its name is empty" : `${file} is a directory`}`,
      "Give the name of a file, such as report.html.",
    );
  return { path, isPlain: found === undefined || found.isFile() };
}

const unwritable =
  (name: string, file: string) =>
  (cause: NodeJS.ErrnoException): never => {
    const hint = `Give a file in a writable directory that exists. The system says: ${cause.message}`;
    throw usageError(`--${name} cannot be written: ${file}`, hint, cause);
  };
