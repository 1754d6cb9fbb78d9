import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { styleText } from "node:util";
import { Command, CommanderError } from "commander";
import { printNotice } from "../../lib/print.ts";
import { urlProblem, wrapped } from "../../lib/text.ts";
import { fileError, UserError, usageError } from "../../lib/user-error.ts";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "./paths.ts";

/** A command whose usage errors are `UserError`s, printed like all others, with the command to get help with. */
class ProgramCommand extends Command {
  /** What to know about an unknown command. */
  readonly #note: string;

  constructor(name?: string, note = "") {
    super(name);
    this.#note = note;
  }

  override createCommand(name?: string): Command {
    return new ProgramCommand(name);
  }

  override error(message: string): never {
    const [what = "", ...details] = message.replace(/^error: /, "").split(/\n\(|\. (?=Allowed|Expected)/);
    const sentences = details.map((text) => text.replace(/\)$/, "").replace(/(?<![.?])$/, "."));
    const hint = [...sentences, this.#note, `See \`${fullName(this)} --help\`.`].filter(Boolean).join(" ");
    throw usageError(what, hint);
  }
}

/** As it is typed: `email-api-contract contract init`. */
const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

/**
 * The program without its commands.
 * @param note what to know about an unknown command
 */
export const newProgram = (note = ""): Command =>
  new ProgramCommand("email-api-contract", note)
    .description(
      "The OpenAPI contract of an email service: lint it, generate from it, mock it, test servers.",
    )
    .version(packageJson.version)
    .configureHelp({ helpWidth: 80, sortSubcommands: false })
    .exitOverride((end) => {
      process.exitCode = end.exitCode === 0 ? 0 : 2;
      throw end;
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 success, 1 a check failed, 2 usage or set-up error,\n3 not verified, 70 internal error.",
    );

/**
 * The action of a command. Its function takes the arguments, and the options with those of the parent, and returns the exit code.
 * It is loaded when it runs: that keeps `--help` fast.
 */
export const action =
  <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<number>>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const run = await load();
    process.exitCode = await run(...([...given.slice(0, -2), command.optsWithGlobals()] as Given));
  };

/** Parses the value of an option that is a whole number. Throws a UserError if it is not, or is not from `least` to `most`. */
export const wholeNumber =
  (
    option: string,
    { least = 1, most = 2 ** 31 - 1, hint }: { least?: number; most?: number; hint?: string } = {},
  ) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw usageError(`${option} must be a whole number from ${least} to ${most} (got "${text}")`, hint);
  };

/** Adds the options `--port` and `--host` of a command that serves something. */
export function addListenOptions(command: Command, port: number): Command {
  const number = wholeNumber("--port", { least: 0, most: 65_535, hint: "0 takes any free port." });
  return command
    .option("--port <number>", "port to listen on; 0 takes any free port", number, port)
    .option("--host <address>", "interface to listen on; 0.0.0.0 for all", "127.0.0.1");
}

/** Parses the value of `--docs`. Throws a UserError if it is not the URL of a page. */
export function docsUrl(text: string): string {
  const problem = urlProblem(text);
  if (problem === undefined) return new URL(text).href;
  // What is before an @ may be a password.
  const got = text.includes("@") ? "" : ` (got "${text}")`;
  throw usageError(`--docs ${problem}${got}`, "Give the URL of the first page of the reference site.");
}

/**
 * Runs the command that the arguments name and sets the exit code. A `UserError` is printed as what is wrong, without a full
 * stop, and what to do; any other error is a bug in this program and is printed with its stack.
 * @param argv the arguments as in `process.argv`
 */
export async function runProgram(program: Command, argv: string[]): Promise<void> {
  process.stdout.off("error", ignoreClosedPipe).on("error", ignoreClosedPipe);
  // Kept between runs: types are not stripped and modules not compiled again, which saves up to a third of the time.
  enableCompileCache(join(root, "node_modules/.cache/compiled"));
  try {
    await program.parseAsync(argv);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return;
    const error = fileError(thrown) ?? thrown;
    process.exitCode = error instanceof UserError ? error.exitCode : 70;
    printNotice(describe(error));
  }
}

/** A reader that has seen enough, such as `head`, closes the pipe. The command goes on: it may have files to write. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function describe(error: unknown): string {
  if (!(error instanceof UserError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = labelled("error:", "red", error.message.replace(/\.$/, ""));
  return error.hint === undefined ? message : `${message}\n${labelled("hint: ", "cyan", error.hint)}`;
}

/** A text after its label, in lines of at most 80 columns. */
function labelled(label: string, color: "red" | "cyan", text: string): string {
  const hanging = " ".repeat(label.length + 1);
  const lines = `${label} ${text}`
    .split("\n")
    // Colored lines are rendered by the command, and an indented command is one line, so that it can be copied.
    .map((line) =>
      line.includes("\u001b") || /^ +npm /.test(line) ? line : wrapped(line, hanging, { wholeWords: true }),
    );
  return lines.join("\n").replace(label, styleText(color, label));
}
