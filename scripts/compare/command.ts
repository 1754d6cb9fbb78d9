import type { Command } from "commander";
import { usageError } from "../../lib/user-error.ts";
import { action } from "../common/program.ts";
import { addReportOptions } from "../contract/options.ts";
import type { PrintOptions } from "../contract/output.ts";

const help = `
The reports are those of the second file, with the comparison.

Exit codes: 0 there is no new failure, 1 there is, 2 a file is not a report, 3 a
requirement is no longer verified, 70 internal error. With --needs: 0 the report
shows that each need is met, 1 one is not met, 3 some are not shown.`;

export function addCompareCommand(program: Command): void {
  const command = program
    .command("compare")
    .description("compare two JSON reports of contract or client runs: new failures, fixed ones")
    .argument("<before>", "the earlier report, which --json wrote")
    .argument("[after]", "the later one; left out with --needs")
    .option("--needs <file>", "compare one report with the needs of an application, which observe writes");
  addReportOptions(command)
    .addHelpText("after", help)
    .action(action(async () => runCompare));
}

const hint = "Give two reports, or one report with --needs FILE.";

/**
 * The command `compare`: compares two JSON reports, or one with the needs of an application, and prints what is worse or missing.
 * @returns the exit code: 0 there is no new failure, 1 there is, 3 a requirement is no longer verified; the same for needs
 * @throws UserError with exit code 2 if a file is not a report, or one is about a client and the other about a server
 */
export async function runCompare(
  before: string,
  after?: string,
  { needs: file, ...options }: PrintOptions = {},
): Promise<number> {
  if ((file === undefined) === (after === undefined))
    throw usageError(file ? "--needs takes one report (got 2)" : "the later report is missing", hint);
  // Imported only now, so that other commands start without the reports.
  const { comparisonText } = await import("../../contract/report/console.ts");
  const { readBaseline, readReport } = await import("../../contract/report/json.ts");
  const { assertWritable } = await import("../../contract/report/write.ts");
  const { printResult } = await import("../contract/output.ts");
  await assertWritable(options);
  const result = readReport(after ?? before);
  const baseline = readBaseline(before, after !== undefined && result.client !== undefined);
  if (file === undefined) return printResult(result, options, baseline, comparisonText);
  if (result.published ?? result.traffic)
    throw usageError(
      `${before} does not show needs: published reports and those of traffic have no test cases that pass`,
      "Give the report that `contract --json FILE` wrote.",
    );
  const { readNeeds } = await import("../../contract/report/needs-file.ts");
  const { withNeeds } = await import("../../contract/observe/needs.ts");
  return printResult(withNeeds(result, readNeeds(file), file), options, undefined, comparisonText);
}
