import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Argument, type Command, Option } from "commander";
import { commonProfiles } from "../../contract/engine/settings.ts";
import { printLine } from "../../lib/print.ts";
import { wrapped } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import { action } from "../common/program.ts";
import { addBaselineOptions, addPublishOptions, addReportOptions, grepOption } from "../contract/options.ts";

const help = `
A driver is a small program around a client. It reads a JSON line for each call
and writes a JSON line with the result: see docs/testing-a-client.md.

With --against, a requirement fails where the clients differ in requests, results
or errors; the differences that are allowed are its expected failures.

Exit codes: 0 every requirement passes, 1 a requirement fails or ends in an
error (such as a driver that ends), or an expected failure passes or has
expired, 2 usage error or the driver does not start, 3 no requirement fails but
some are not verified, 70 internal error. With --baseline: 0 there is no new
failure, 1 there is, 3 a requirement is no longer verified.`;

export function addClientCommand(program: Command): void {
  const command = program
    .command("client")
    .description("test a client in any language against its requirements")
    .option("--driver <command>", 'the command that starts its driver, such as "python3 driver.py"')
    .option("--against <command>", "the driver of another client: report what the first one does differently")
    .addOption(new Option("--profile <name>", "which checks to run").choices(commonProfiles).default("full"))
    .addOption(grepOption("GEN-9"))
    .option("--dry-run", "list the checks, and start nothing");
  addPublishOptions(addReportOptions(addBaselineOptions(command)))
    .addHelpText("after", help)
    .action(action(async () => (await import("./run-command.ts")).runClientCommand));
  command
    .command("init")
    .description("write a driver to start from")
    .addArgument(new Argument("<language>", "of the driver").choices(Object.keys(templates)))
    .option("--output <file>", "the file to write (default: driver.py and so on)")
    .option("--force", "overwrite an existing file")
    .action(action(async () => runClientInit));
}

/** The languages of the driver templates, with the command that runs a driver. */
export const templates = {
  python: { file: "driver.py", command: "python3 driver.py" },
  typescript: { file: "driver.ts", command: "node driver.ts" },
  go: { file: "driver.go", command: "go run driver.go" },
  php: { file: "driver.php", command: "php driver.php" },
} as const;
export type TemplateLanguage = keyof typeof templates;

/**
 * The command `client init`: writes a driver with one operation, which stands for those of a client.
 * @returns the exit code, 0
 * @throws UserError with exit code 2 if the file exists
 */
export async function runClientInit(
  language: TemplateLanguage,
  { output = templates[language].file, force = false }: { output?: string; force?: boolean } = {},
): Promise<number> {
  const { file, command } = templates[language];
  const template = await readFile(join(root, "scripts/client-suite/templates", file), "utf8");
  await writeFile(output, template, { flag: force ? "w" : "wx" }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    const hint = "Use --force to overwrite it, or --output to write another one.";
    throw usageError(`${output} already exists`, hint, cause);
  });
  const next = `email-api-contract client --driver "${command.replace(file, output)}"`;
  printLine(`Written: ${output}`);
  printLine(
    wrapped(`Next: run \`${next}\`, which tests its one operation, then put your client in its place.`),
  );
  return 0;
}
