import { Argument, type Command, Option } from "commander";
import { profilesOfClients } from "../../contract/client-suite/profiles.ts";
import { addBaselineOption, addReportOptions } from "../contract/report-options.ts";
import { type TemplateLanguage, templates } from "./init.ts";
import type { ClientCommandOptions } from "./run-command.ts";

const help = `
A driver is a small program around a client. It reads a JSON line for each call
and writes a JSON line with the result: see docs/testing-a-client.md.

Exit codes: 0 every requirement passes, 1 a requirement fails, 2 usage error or
the driver does not start, 3 no requirement fails but some are not verified
or have errors, 70 internal error. With --baseline: 0 there is no new failure, 1
there is.`;

/** Adds the command `client`. */
export function addClientCommand(program: Command): void {
  const command = program
    .command("client")
    .description("test a client in any language against its requirements")
    .option("--driver <command>", 'the command that starts its driver, such as "python3 driver.py"')
    .addOption(
      new Option("--profile <name>", "which checks to run").choices(profilesOfClients).default("full"),
    )
    .option("--grep <pattern>", "run only checks whose ids or title match, such as GEN-9")
    .option("--expected-failures <file>", "requirements that are known to fail")
    .option("--sandbox <url>", "use a workspace of this running sandbox (default: start one)")
    .option("--dry-run", "list the checks, and start nothing");
  addReportOptions(addBaselineOption(command))
    .addHelpText("after", help)
    .action(async (options: ClientCommandOptions) => {
      const { runClientCommand } = await import("./run-command.ts");
      process.exitCode = await runClientCommand(options);
    });
  command
    .command("init")
    .description("write a driver to start from")
    .addArgument(new Argument("<language>", "of the driver").choices(Object.keys(templates)))
    .option("--output <file>", "the file to write (default: driver.py and so on)")
    .option("--force", "overwrite an existing file")
    .action(async (language: TemplateLanguage, options: { output?: string; force?: boolean }) => {
      const { runClientInit } = await import("./init.ts");
      process.exitCode = await runClientInit(language, options);
    });
}
