import type { ExpectedFailure } from "../../contract/config/load.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import type { Profile } from "../../contract/engine/settings.ts";
import { type Baseline, withBaseline } from "../../contract/report/baseline.ts";
import { consoleText } from "../../contract/report/console.ts";
import { assertPublic } from "../../contract/report/expected.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { type ReportFiles, writeReports } from "../../contract/report/write.ts";
import { printable, printLine } from "../../lib/print.ts";
import { usageError } from "../../lib/user-error.ts";

const minShownWait = 1_000;
/** Milliseconds between lines without a terminal. */
const interval = 30_000;

const waitText = (milliseconds: number) => `waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit`;

/** Prints a wait for the rate limit outside a run. */
export function printWait(milliseconds: number, stream: { write(text: string): unknown } = process.stderr) {
  if (milliseconds >= minShownWait) stream.write(`${waitText(milliseconds)}\n`);
}

/** Milliseconds without a response. */
const longSilence = 5_000;

/** A `fetch` for what comes before a run: says once what it waits for, at most so many seconds, if a server does not respond. */
export function tellingFetch(seconds: number, stream: { write(text: string): unknown } = process.stderr) {
  let isTold = false;
  const tell = (url: string, { method = "GET" }: RequestInit): void => {
    const what = `${method} ${new URL(url).pathname}`;
    if (!isTold) stream.write(printable(`waiting at most ${seconds} s for the response to ${what}\n`));
    isTold = true;
  };
  return (...[url, init]: Parameters<Fetch>): Promise<Response> => {
    const timer = setTimeout(tell, longSilence, url, init);
    return fetch(url, init).finally(() => clearTimeout(timer));
  };
}

/** Progress of a run: one line that is updated on a terminal; elsewhere a line every 30 s and for each long wait. */
export function progressLine(stream: { isTTY?: boolean; write(text: string): unknown }) {
  const isTerminal = stream.isTTY === true;
  const began = Date.now();
  let done = "0 test cases";
  let wait = "";
  const show = (): void => {
    if (isTerminal) stream.write(`\r\u001B[K${done}${wait}`);
  };
  const print = (): void => {
    stream.write(`${done}, ${Math.round((Date.now() - began) / 1000)} s${wait}\n`);
  };
  const timer = isTerminal ? undefined : setInterval(print, interval).unref();
  return {
    onProgress: (count: number, total: number): void => {
      done = `${count} of ${total} test cases`;
      wait = "";
      show();
    },
    /** The run waits for the rate limit. */
    onWait: (milliseconds: number): void => {
      if (milliseconds < minShownWait) return;
      wait = `, ${waitText(milliseconds)}`;
      if (isTerminal) show();
      else stream.write(`${done}${wait}\n`);
    },
    /** The run polls an operation, for at most so many milliseconds. */
    onPoll: (operation: string, milliseconds: number): void => {
      wait = `, polling ${operation} for at most ${Math.ceil(milliseconds / 1000)} s`;
      show();
    },
    /** Removes the line. */
    end: (): void => {
      clearInterval(timer);
      if (isTerminal) stream.write("\r\u001B[K");
    },
  };
}

/**
 * Checks that a run can be published: it has a name, its profile shows a level, and others can read who will fix what fails, and by when.
 * @throws UserError with exit code 2 if not
 */
export function assertPublishable(
  { publish, levelBadge }: ReportFiles,
  { implementation, profile }: { implementation?: unknown; profile: Profile },
  expected: readonly ExpectedFailure[],
  hint: string,
): void {
  if ((publish ?? levelBadge) === undefined) return;
  if (publish !== undefined && implementation === undefined)
    throw usageError("--publish needs the name of the implementation", hint);
  if (levelBadge !== undefined && levelsShownBy(profile).length === 0)
    throw usageError(`--level-badge: no level requires the profile ${profile}`, "Use core or full.");
  assertPublic(expected);
}

/** What to do with a result besides printing it. */
export interface PrintOptions extends ReportFiles {
  /** The URL of the reference site that errors are linked to. */
  docs?: string;
}

/**
 * Compares a result with the baseline, if there is one, writes its reports and prints it.
 * @param text what it prints
 * @returns the exit code
 */
export async function printResult(
  run: ContractResult,
  { docs, ...files }: PrintOptions,
  baseline?: Baseline,
  text: (result: ContractResult) => string = consoleText,
): Promise<number> {
  const linked = docs === undefined ? run : { ...run, docs };
  const result = baseline === undefined ? linked : withBaseline(linked, baseline);
  const written = await writeReports(result, files);
  const advice = "\nEach failure with all its requests: run again with `--html report.html`.";
  printLine(text(result) + (result.exitCode === 1 && files.html === undefined ? advice : ""));
  for (const file of written) printLine(`Written: ${file}`);
  return result.exitCode;
}
