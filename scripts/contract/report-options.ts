import type { Command } from "commander";
import { docsUrl } from "../common/program.ts";

/** Adds the option for the report of an earlier run. */
export const addBaselineOption = (command: Command): Command =>
  command.option(
    "--baseline <file>",
    "compare with this earlier JSON report; only new failures fail the run",
  );

/** Adds the options for report files. @param options.har whether there is one for an HTTP archive */
export function addReportOptions(command: Command, { har = true } = {}): Command {
  command
    .option("--json <file>", "write a JSON report")
    .option("--junit <file>", "write a JUnit XML report, for CI servers")
    .option("--html <file>", "write an HTML report, a single page")
    .option("--markdown <file>", "write a Markdown report, for a CI summary")
    .option("--docs <url>", "link errors to this reference site", docsUrl)
    .option("--badge <file>", "write an SVG badge")
    .option("--annotations <file>", "write annotations for the log of GitHub Actions");
  return har
    ? command.option(
        "--har <file>",
        "write the requests and responses that the report keeps as HAR: of each test case the last 40, of random sequences those that fail",
      )
    : command;
}
