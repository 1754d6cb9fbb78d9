import { type Command, InvalidArgumentError } from "commander";
import { action, addListenOptions } from "../common/program.ts";
import { addBaselineOptions, addReportOptions } from "../contract/options.ts";

const notes = `
Reports contain no API keys, and without --show-bodies no bodies, email
addresses or ids. Keys of one account are known from --config, whose keys come
from the environment as for \`contract\`.

Exit codes: 0 no requirement fails, 1 a requirement fails, an operation never
responded, an expected failure has expired or the coverage is below the
threshold, 2 usage or set-up error, 70 internal error. With --baseline: 1 there
is a new failure in place of a failure.`;

export function addObserveCommand(program: Command): void {
  const observe = program
    .command("observe")
    .description("find out from traffic which requirements a server meets; sends nothing")
    .option("--har <files...>", "read HTTP archives, of browsers or `redocly proxy`")
    .option("--ndjson <files...>", "read files with a JSON object per line (- is standard input)")
    .option("--upstream <url>", "pass requests on to this server, until interrupted");
  addListenOptions(observe, 4040)
    .option(
      "--record <file>",
      "write the traffic of the proxy, for --ndjson; it contains bodies, but no keys",
    )
    .option("--base-url <url>", "the server to observe in the files (default: that of the first request)")
    .option("--config <file>", "its fixtures and keys, as for contract (YAML, JSON or a module)")
    .option(
      "--all-traffic",
      "nothing else changes the accounts: differences that others could cause fail too",
    )
    .option("--coverage", "show what the tests that made the traffic exercised, and what not")
    .option("--coverage-threshold <percent>", "fail if less is covered; shows the coverage", percent)
    .option(
      "--needs <file>",
      "write what the application that made the traffic relies on, for compare and diff",
    )
    .option(
      "--show-bodies",
      "show bodies, email addresses and ids in reports, and codes of six digits in the record",
    );
  addReportOptions(addBaselineOptions(observe), { har: false })
    .addHelpText("after", notes)
    .action(action(async () => (await import("./run-command.ts")).runObserveCommand));
}

function percent(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}
