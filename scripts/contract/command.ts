import { type Command, Option } from "commander";
import { UserError } from "../../lib/user-error.ts";
import { profiles, tags } from "../../test/contract/engine/settings.ts";
import type { ContractCommandOptions } from "./run-command.ts";

/** The servers to start: the mock needs what only a clone of the project has. */
function targetOption(isPackaged: boolean): Option {
  const option = new Option(
    "--target <name>",
    "start this server and test it; the sandbox where no server is named",
  );
  if (!isPackaged) return option.choices(["sandbox", "mock"]);
  const { parseArg } = option.choices(["sandbox"]);
  return option.argParser((name: string, before: string) => {
    if (name !== "mock") return parseArg?.(name, before) ?? name;
    throw new UserError("The mock needs a clone of the project: it is no part of the installed package.", {
      hint: "Give --target sandbox, or the --base-url of a server of your own.",
      exitCode: 2,
    });
  });
}

const profile = new Option(
  "--profile <name>",
  "which checks to run (default: core for a server of your own, full for the sandbox)",
).choices(profiles);
const without = new Option("--without <tags...>", "leave out checks with these tags").choices(tags);

const keys = `
Keys come from the environment: CONTRACT_API_KEY, or CONTRACT_KEY_FULL,
CONTRACT_KEY_SEND_ONLY and so on; the configuration can name others.

Exit status: 0 every promise of the profile holds, 1 one is broken, 2 wrong use
or configuration, 3 none is broken but some are not verified.`;

/**
 * Adds the verb `contract`, with `contract init` and `contract doctor`.
 * @param isPackaged whether it is the installed package that runs, and no clone
 */
export function addContractVerb(command: Command, { isPackaged = false } = {}): void {
  const contract = command
    .command("contract")
    .description("hold a server against the document, promise by promise")
    .option("--base-url <url>", "the server to test")
    .option("--config <file>", "what there is on it (YAML, JSON, or a module)")
    .addOption(targetOption(isPackaged))
    .addOption(profile)
    .option("--grep <pattern>", "only the checks whose ids or law match, such as SEND-9")
    .addOption(without)
    .option("--expected-failures <file>", "requirements that are known to fail")
    .option("--dry-run", "say what would be sent, and send nothing")
    .option("--json <file>", "write a report as JSON")
    .option("--junit <file>", "write a report for CI servers")
    .option("--html <file>", "write a report as one page")
    .option("--markdown <file>", "write a report for a summary, such as a pull request's")
    .option("--badge <file>", "write a badge, as SVG")
    .option("--har <file>", "write all requests and answers, as HAR")
    .addHelpText("after", keys)
    .action(async (options: ContractCommandOptions) => {
      const { runContractCommand } = await import("./run-command.ts");
      process.exitCode = await runContractCommand(options);
    });
  addSetUp(contract);
}

/** What goes before a run on a server of one's own. */
function addSetUp(contract: Command): void {
  contract
    .command("init")
    .description("ask a server what there is, and write a configuration with comments")
    .option("--output <file>", "where to write it", "contract.config.yaml")
    .option("--force", "write over a file that is there")
    .action(async (_options: object, command: Command) => {
      const { runInit } = await import("./init.ts");
      process.exitCode = await runInit(command.optsWithGlobals());
    });
  contract
    .command("doctor")
    .description("check the configuration first, and say what a run will take")
    .action(async (_options: object, command: Command) => {
      const { runDoctor } = await import("./doctor.ts");
      process.exitCode = await runDoctor(command.optsWithGlobals());
    });
}
