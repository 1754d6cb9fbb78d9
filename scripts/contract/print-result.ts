import { consoleText } from "../../contract/report/console.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { type Baseline, withBaseline } from "../../contract/report/sections.ts";
import { type ReportFiles, writeReports } from "../../contract/report/write.ts";

/** What to do with a result besides printing it. */
export interface PrintOptions extends ReportFiles {
  /** The URL of the reference site that errors are linked to. */
  docs?: string;
}

/**
 * Compares a result with the baseline, if there is one, writes its reports and prints it.
 *
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
  console.log(text(result));
  for (const file of written) console.log(`Written: ${file}`);
  return result.exitCode;
}
