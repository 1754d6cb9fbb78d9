import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UserError } from "../../../lib/user-error.ts";
import { badgeReport } from "./badge.ts";
import { harReport } from "./har.ts";
import { htmlReport } from "./html.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { ContractResult } from "./result.ts";

/** Where to write the reports of a run; those without a file are not written. */
export interface ReportFiles {
  json?: string;
  junit?: string;
  html?: string;
  markdown?: string;
  badge?: string;
  har?: string;
}

const makers: Record<keyof ReportFiles, (result: ContractResult) => string> = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
  badge: badgeReport,
  har: harReport,
};
const names = Object.keys(makers) as (keyof ReportFiles)[];

/**
 * Tries each file before the run, which takes a while; whatever stands there stays as it is.
 * @throws Failure with exit status 2 where one cannot be written, or two are the same
 */
export async function mustBeWritable(files: ReportFiles): Promise<void> {
  const seen = new Map<string, string>();
  for (const { name, file } of wanted(files)) {
    const target = await targetOf(name, file);
    const other = seen.get(target.path);
    if (other !== undefined)
      throw new UserError(`--${other} and --${name} name the same file: ${file}`, {
        hint: "Give each report a file of its own.",
        exitCode: 2,
      });
    seen.set(target.path, name);
    if (!target.isPlain) continue;
    const temporary = temporaryOf(target.path);
    await writeFile(temporary, "").catch(unwritable(name, file));
    await rm(temporary, { force: true });
  }
}

/**
 * Writes the reports. All are first written under temporary names and then put in place by renaming, so that none is ever
 * half there.
 *
 * @returns the files, as they were named
 * @throws Failure with exit status 2 where one cannot be written
 */
export async function writeReports(result: ContractResult, files: ReportFiles): Promise<string[]> {
  const pending: { temporary: string; path: string; name: string; file: string }[] = [];
  try {
    for (const { name, file } of wanted(files)) {
      const { path, isPlain } = await targetOf(name, file);
      const temporary = isPlain ? temporaryOf(path) : path;
      pending.push({ temporary, path, name, file });
      await writeFile(temporary, makers[name](result)).catch(unwritable(name, file));
    }
    for (const { temporary, path, name, file } of pending)
      if (temporary !== path) await rename(temporary, path).catch(unwritable(name, file));
  } finally {
    for (const { temporary, path } of pending) if (temporary !== path) await rm(temporary, { force: true });
  }
  return pending.map(({ file }) => file);
}

const wanted = (files: ReportFiles): { name: keyof ReportFiles; file: string }[] =>
  names.flatMap((name) => {
    const file = files[name];
    return file === undefined ? [] : [{ name, file }];
  });

const temporaryOf = (path: string): string => `${path}.${process.pid}.tmp`;

/** Where a report really goes: links are followed, and what is no file (a pipe, a terminal) is written to as it is. */
async function targetOf(name: string, file: string): Promise<{ path: string; isPlain: boolean }> {
  const path = await realpath(file).catch(() => resolve(file));
  const found = await stat(path).catch(() => undefined);
  if (file === "" || found?.isDirectory() === true)
    throw new UserError(
      `--${name} needs a file: ${file === "" ? "its name is empty" : `${file} is a folder`}`,
      {
        hint: "Give the name of a file, such as report.html.",
        exitCode: 2,
      },
    );
  return { path, isPlain: found === undefined || found.isFile() };
}

const hints: Record<string, string> = {
  ENOENT: "Give a file in a folder that exists.",
  ENOTDIR: "Give a file in a folder that exists.",
  EACCES: "Give a file in a folder that you may write to.",
  EPERM: "Give a file in a folder that you may write to.",
  EROFS: "Give a file in a folder that you may write to.",
  ENOSPC: "Make room on the disk, or give a file on another one.",
};

const unwritable =
  (name: string, file: string) =>
  (cause: NodeJS.ErrnoException): never => {
    const hint = hints[cause.code ?? ""] ?? `The system says: ${cause.message}`;
    throw new UserError(`--${name} cannot be written: ${file}`, { hint, exitCode: 2, cause });
  };
