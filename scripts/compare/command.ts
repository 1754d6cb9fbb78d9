import type { Command } from "commander";
import { action } from "../common/program.ts";
import { addReportOptions } from "../contract/options.ts";
import type { PrintOptions } from "../contract/output.ts";

const help = `
The reports are those of the second file, with the comparison.

Exit codes: 0 there is no new failure, 1 there is, 2 a file is not a report, 3 a
requirement is no longer verified, 70 internal error.`;

export function addCompareCommand(program: Command): void {
  const command = program
    .command("compare")
    .description("compare two JSON reports of contract or client runs: new failures, fixed ones")
    .argument("<before>", "the earlier report, which --json wrote")
    .argument("<after>", "the later one");
  addReportOptions(command)
    .addHelpText("after", help)
    .action(action(async () => runCompare));
}

/**
 * The command `compare`: compares two JSON reports, and prints new failures and other differences.
 * @returns the exit code: 0 there is no new failure, 1 there is, 3 a requirement is no longer verified
 * @throws UserError with exit code 2 if a file is not a report, or one is about a client and the other about a server
 */
export async function runCompare(before: string, after: string, options: PrintOptions = {}): Promise<number> {
  // Imported only now, so that other commands start without the reports.
  const { comparisonText } = await import("../../contract/report/console.ts");
  const { readBaseline, readReport } = await import("../../contract/report/json.ts");
  const { assertWritable } = await import("../../contract/report/write.ts");
  const { printResult } = await import("../contract/output.ts");
  await assertWritable(options);
  const result = readReport(after);
  return printResult(result, options, readBaseline(before, result.client !== undefined), comparisonText);
}
