import { styleText } from "node:util";
import { Command, CommanderError } from "commander";
import { UserError } from "../lib/user-error.ts";
import packageJson from "../package.json" with { type: "json" };

/** The command without its verbs. */
export function newCommand(): Command {
  return new Command("email-api-contract")
    .description(
      "The contract of an e-mail service: check it, generate from it, mock it, prove servers by it.",
    )
    .version(packageJson.version)
    .configureHelp({ helpWidth: 80, sortSubcommands: false })
    .showHelpAfterError("(see --help)")
    .exitOverride((end) => {
      process.exitCode = end.exitCode === 0 ? 0 : 2;
      throw end;
    })
    .addHelpText("after", "\nExit status: 0 all is well, 1 something does not hold, 2 wrong use or set-up.");
}

/** Reads the value of `--port`. Throws a Failure when it is none. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UserError(`--port is not a port: ${text}`, {
    hint: "Give a whole number from 0 (any free port) to 65535.",
    exitCode: 2,
  });
}

/**
 * Runs the verb that the arguments name and sets the exit status. A `Failure` is printed in two lines; any other
 * error is a fault of this program and shows its stack.
 *
 * @param argv the arguments as in `process.argv`
 */
export async function runCommand(command: Command, argv: string[]): Promise<void> {
  try {
    await command.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) return;
    process.exitCode = error instanceof UserError ? error.exitCode : 70;
    console.error(describe(error));
  }
}

function describe(error: unknown): string {
  if (!(error instanceof UserError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `${styleText("red", "error:")} ${error.message}`;
  return error.hint === undefined ? message : `${message}\n${styleText("cyan", "hint:")}  ${error.hint}`;
}
