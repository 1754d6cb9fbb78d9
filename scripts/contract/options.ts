import { type Command, Option } from "commander";
import type { Environment } from "../../contract/config/config.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import type { Profile } from "../../contract/engine/settings.ts";
import { docsUrl } from "../common/program.ts";
import type { PrintOptions } from "./output.ts";

/** The options that the commands `init` and `doctor` share. */
export interface SetUpOptions {
  baseUrl?: string;
  profile?: Profile;
  /** Default: the environment of the process. */
  env?: Environment;
  /** Default: the working directory. */
  folder?: string;
  fetch?: Fetch;
  /** Seconds to wait for a server that does not respond yet. */
  wait?: number;
  /** Called with each wait for the rate limit, in milliseconds; default: prints it on standard error. */
  onWait?: (milliseconds: number) => void;
  /** Default: `printLine`. */
  print?: (text: string) => void;
}

/** The options that the commands `contract` and `client` share. */
export interface RunOptions extends PrintOptions {
  grep?: string;
  /** The file of the expected failures. */
  expectedFailures?: string;
  /** The JSON report of an earlier run: then only new failures lead to exit code 1. */
  baseline?: string;
  /** Lists the checks, and sends or starts nothing. */
  dryRun?: boolean;
}

/** The option `--grep`, which can be given several times. */
export const grepOption = (example: string): Option =>
  new Option(
    "--grep <pattern>",
    `run only these checks: ids (${example}), operations (sendEmail), paths (POST /api/v1/emails) or regular expressions for ids and titles, in any case, separated by commas`,
  ).argParser((text: string, before?: string) => [before, text].filter(Boolean).join(","));

/** Adds the options for what may fail: lists of it, and the report of an earlier run. */
export const addBaselineOptions = (command: Command): Command =>
  command
    .option("--expected-failures <file>", "requirements, or test cases of them, that are known to fail")
    .option("--write-expected <file>", "write such a list with what fails in this run")
    .option("--baseline <file>", "compare with this earlier JSON report; only new failures fail the run");

/** Options of a run that shows a part, or something else than a whole run. */
const partialOptions = ["grep", "sequences", "seconds", "seed", "against"];

/** Adds the options for what others read of a whole run. */
export const addPublishOptions = (command: Command): Command =>
  [
    new Option("--publish <file>", "write a JSON report for others, without what can be private"),
    new Option("--level-badge <file>", "write an SVG badge with the highest level that is passed"),
  ].reduce((changed, option) => changed.addOption(option.conflicts(partialOptions)), command);

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
