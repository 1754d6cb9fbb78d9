import { comparisonText } from "../../contract/report/console.ts";
import { readBaseline, readReport } from "../../contract/report/read-report.ts";
import { mustBeWritable } from "../../contract/report/write.ts";
import { type PrintOptions, printResult } from "../contract/print-result.ts";

/**
 * The command `compare`: compares two JSON reports, and prints new failures and other differences.
 *
 * @returns the exit code: 0 there is no new failure, 1 there is
 * @throws UserError with exit code 2 if a file is not a report, or one is about a client and the other about a server
 */
export async function runCompare(before: string, after: string, options: PrintOptions = {}): Promise<number> {
  await mustBeWritable(options);
  const result = readReport(after);
  return printResult(result, options, readBaseline(before, result.client !== undefined), comparisonText);
}
