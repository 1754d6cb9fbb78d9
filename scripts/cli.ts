import { styleText } from "node:util";
import { Command, CommanderError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import type { ContractVerbOptions } from "./contract/verb.ts";
import { Failure } from "./failure.ts";
import type { MockVerbOptions } from "./mock.ts";
import { addSandboxVerb } from "./sandbox.ts";

const portNumber = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure(`--port is not a port: ${text}`, {
    hint: "Give a whole number from 0 (any free port) to 65535.",
    exitStatus: 2,
  });
};

/** Every verb of the command line. A verb loads its code only when it is called, so that `--help` is quick. */
export function program(): Command {
  const command = new Command("email-api-contract")
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
  addDocumentVerbs(command);
  addServerVerbs(command);
  addSandboxVerb(command, portNumber);
  addReportVerbs(command);
  return command;
}

function addDocumentVerbs(command: Command): void {
  command
    .command("start")
    .description(
      "the main job: lint, bundle, generate, run the contract suite on the mock and on the sandbox",
    )
    .action(async () => {
      const { start } = await import("./start.ts");
      process.exitCode = await start();
    });
  command
    .command("lint")
    .description("check the document: its structure, and the conventions of this API")
    .addOption(
      new Option("--format <format>", "how to print findings").choices(["text", "json"]).default("text"),
    )
    .action(async (options: { format: "text" | "json" }) => {
      const { runLint } = await import("./lint.ts");
      process.exitCode = await runLint(options);
    });
  command
    .command("bundle")
    .description("put the split document together: generated/openapi.json and openapi.yaml")
    .action(async () => {
      const { runBundle } = await import("./bundle.ts");
      process.exitCode = await runBundle();
    });
  command
    .command("generate")
    .description("make everything in generated/ and say what changed")
    .option("--check", "change nothing; exit with 1 when something in generated/ is stale")
    .action(async (options: { check?: boolean }) => {
      const { runGenerate } = await import("./generate.ts");
      process.exitCode = await runGenerate(options);
    });
}

function addServerVerbs(command: Command): void {
  const port = new Option("--port <number>", "where to listen; 0 takes any free port").argParser(portNumber);
  const host = new Option("--host <address>", "the interface to listen on").default("127.0.0.1");
  command
    .command("mock")
    .description("serve the document's examples with Prism; ask for one with a Prefer header")
    .addOption(port.default(4010))
    .addOption(host)
    .option("--verbose", "show Prism's own log")
    .action(async (options: MockVerbOptions) => {
      const { runMock } = await import("./mock.ts");
      process.exitCode = await runMock(options);
    });
  command
    .command("contract")
    .description("hold a server against the document, over HTTP")
    .option("--base-url <url>", "the server to test; its key comes from the variable CONTRACT_API_KEY")
    .addOption(new Option("--target <name>", "start this server and test it").choices(["sandbox", "mock"]))
    .addOption(new Option("--profile <name>", "which checks to run").choices(["mock", "examples"]))
    .option("--grep <pattern>", "only the checks whose name matches")
    .option("--json <file>", "write the result as JSON too")
    .action(async (options: ContractVerbOptions) => {
      const { runContractVerb } = await import("./contract/verb.ts");
      process.exitCode = await runContractVerb(options);
    });
}

function addReportVerbs(command: Command): void {
  command
    .command("trace")
    .description("show each requirement: where it is encoded, and which checks verify it")
    .action(async () => {
      const { runTrace } = await import("./trace.ts");
      process.exitCode = await runTrace();
    });
  command
    .command("score")
    .description("measure how much of a document is described, bounded and exemplified")
    .argument("[files...]", "OpenAPI files in JSON or YAML; this contract where none is given")
    .action(async (files: string[]) => {
      const { runScore } = await import("./score.ts");
      process.exitCode = await runScore(files);
    });
}

/**
 * Runs the verb that the arguments name and sets the exit status. A `Failure` is printed in two lines; any other
 * error is a fault of this program and shows its stack.
 *
 * @param argv the arguments as in `process.argv`
 */
export async function run(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) return;
    process.exitCode = error instanceof Failure ? error.exitStatus : 70;
    console.error(describe(error));
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Failure))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `${styleText("red", "error:")} ${error.message}`;
  return error.hint === undefined ? message : `${message}\n${styleText("cyan", "hint:")}  ${error.hint}`;
}

if (import.meta.main) await run(process.argv);
