import type { Command } from "commander";
import type { PrintOptions } from "../contract/print-result.ts";
import { addReportOptions } from "../contract/report-options.ts";

const help = `
The reports are those of the second file, with the comparison.

Exit codes: 0 there is no new failure, 1 there is, 2 a file is not a report, 70
internal error.`;

/** Adds the command `compare`. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command("compare")
    .description("compare two JSON reports of contract or client runs: new failures, fixed ones")
    .argument("<before>", "the earlier report, which --json wrote")
    .argument("<after>", "the later one");
  addReportOptions(command)
    .addHelpText("after", help)
    .action(async (before: string, after: string, options: PrintOptions) => {
      const { runCompare } = await import("./compare.ts");
      process.exitCode = await runCompare(before, after, options);
    });
}
