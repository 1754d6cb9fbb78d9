import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { usageError } from "../../lib/user-error.ts";
import { annotationsReport } from "./annotations.ts";
import { badgeReport, levelBadgeReport } from "./badge.ts";
import { expectedFile } from "./expected.ts";
import { harReport } from "./har.ts";
import { htmlReport } from "./html.ts";
import { jsonText } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { needsOf } from "./needs-file.ts";
import { publishedReport } from "./publish.ts";
import type { ContractResult } from "./result.ts";

/** By option. */
const makers = {
  /** As `contract-report.schema.json` describes it. */
  json: jsonText,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
  badge: badgeReport,
  levelBadge: levelBadgeReport,
  har: harReport,
  /** The JSON report without anything that is private. */
  publish: (result: ContractResult) => jsonText(publishedReport(result)),
  annotations: annotationsReport,
  /** A list of expected failures, with what failed. */
  writeExpected: expectedFile,
  needs: (result: ContractResult) => jsonText(needsOf(result)),
};
type Option = keyof typeof makers;

/** The files of the reports; a report without a file is not written. */
export type ReportFiles = { [Name in Option]?: string };

/**
 * Checks before the run that every report can be written; existing files are unchanged.
 * @throws UserError with exit code 2 if one cannot be written, or two are the same file
 */
export async function assertWritable(files: ReportFiles): Promise<void> {
  const targets = await targetsOf(files);
  for (const [one, other] of Map.groupBy(targets, ({ path }) => path).values())
    if (one !== undefined && other !== undefined)
      throw usageError(
        `--${one.name} and --${other.name} name the same file: ${other.file}`,
        "Give each report a file of its own.",
      );
  for (const target of targets.filter(({ temporary, path }) => temporary !== path)) {
    await writeFile(target.temporary, "").catch(unwritable(target));
    await rm(target.temporary, { force: true });
  }
}

/** Writes the reports of a result, as `writeTexts` does. */
export const writeReports = (result: ContractResult, files: ReportFiles): Promise<string[]> =>
  writeTexts(files, (option) => makers[option](result));

/**
 * Writes files: to temporary ones first, which are then renamed, so that no report is ever incomplete.
 * @returns the files, as given
 * @throws UserError with exit code 2 if one cannot be written
 */
export async function writeTexts(files: ReportFiles, textOf: (option: Option) => string): Promise<string[]> {
  const targets = await targetsOf(files);
  const renamed = targets.filter(({ temporary, path }) => temporary !== path);
  try {
    for (const target of targets)
      await writeFile(target.temporary, textOf(target.option)).catch(unwritable(target));
    for (const target of renamed) await rename(target.temporary, target.path).catch(unwritable(target));
  } finally {
    for (const { temporary } of renamed) await rm(temporary, { force: true });
  }
  return targets.map(({ file }) => file);
}

const targetsOf = (files: ReportFiles): Promise<Target[]> =>
  Promise.all(
    (Object.keys(makers) as Option[]).flatMap((option) => {
      const file = files[option];
      return file === undefined ? [] : [targetOf(option, file)];
    }),
  );

type Target = Awaited<ReturnType<typeof targetOf>>;

/** Where a report is written: to `temporary` first, which is `path` itself for pipes and terminals. */
async function targetOf(option: Option, file: string) {
  const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  // After following links.
  const path = await realpath(file).catch(() => resolve(file));
  const found = await stat(path).catch(() => undefined);
  if (file === "" || found?.isDirectory() === true)
    throw usageError(
      `--${name} needs a file: ${file === "" ? "its name is empty" : `${file} is a directory`}`,
      "Give the name of a file, such as report.html.",
    );
  const isPlain = found === undefined || found.isFile();
  return { option, name, file, path, temporary: isPlain ? `${path}.${process.pid}.tmp` : path };
}

const unwritable =
  ({ name, file, temporary }: Target) =>
  (cause: NodeJS.ErrnoException): never => {
    const reason = cause.message.replaceAll(temporary, file);
    const hint = `Give a file in a writable directory that exists. The system says: ${reason}`;
    throw usageError(`--${name} cannot be written: ${file}`, hint, cause);
  };
