import { type Command, Option } from "commander";
import { addClientCommand } from "./client-suite/command.ts";
import { newProgram, portNumber, runProgram } from "./common/program.ts";
import { addCompareCommand } from "./compare/command.ts";
import { addContractCommand } from "./contract/command.ts";
import { addDiffCommand } from "./diff/command.ts";
import { addDocsCommand } from "./docs/command.ts";
import type { LintOptions } from "./lint/lint.ts";
import type { MockCommandOptions } from "./mock/mock.ts";
import { addObserveCommand } from "./observe/command.ts";
import { addReleaseCommand } from "./release/command.ts";
import { addSandboxCommand } from "./sandbox/command.ts";

/** The program with every command. A command loads its code when it runs, which keeps `--help` fast. */
export function createProgram(): Command {
  const program = newProgram();
  addDocumentCommands(program);
  addServerCommands(program);
  addSandboxCommand(program);
  addReportCommands(program);
  return program;
}

function addDocumentCommands(program: Command): void {
  program
    .command("start")
    .description("bundle, lint and generate; run the contract suite on the mock and the sandbox")
    .action(async () => {
      const { start } = await import("./start/start.ts");
      process.exitCode = await start();
    });
  program
    .command("lint")
    .description("check the document: OpenAPI structure and the conventions of this API")
    .addOption(new Option("--format <format>", "output format").choices(["text", "json"]).default("text"))
    .option("--config <file>", "lint the document of a site, with its overlay")
    .action(async (options: LintOptions) => {
      const { runLint } = await import("./lint/lint.ts");
      process.exitCode = await runLint(options);
    });
  program
    .command("bundle")
    .description("bundle the document into generated/openapi.json and openapi.yaml")
    .action(async () => {
      const { runBundle } = await import("./bundle/bundle.ts");
      process.exitCode = await runBundle();
    });
  program
    .command("generate")
    .description("write everything in generated/ and list what changed")
    .option("--check", "write nothing; exit with code 1 if a file in generated/ is stale")
    .action(async (options: { check?: boolean }) => {
      const { runGenerate } = await import("./generate/generate.ts");
      process.exitCode = await runGenerate(options);
    });
}

function addServerCommands(program: Command): void {
  const port = new Option("--port <number>", "port to listen on; 0 takes any free port").argParser(
    portNumber,
  );
  const host = new Option("--host <address>", "interface to listen on").default("127.0.0.1");
  program
    .command("mock")
    .description("serve the examples of the document with Prism (stateless)")
    .addOption(port.default(4010))
    .addOption(host)
    .option("--verbose", "print Prism's own log")
    .action(async (options: MockCommandOptions) => {
      const { runMock } = await import("./mock/mock.ts");
      process.exitCode = await runMock(options);
    });
  addContractCommand(program);
  addClientCommand(program);
  addCompareCommand(program);
  addObserveCommand(program);
}

function addReportCommands(program: Command): void {
  addDocsCommand(program);
  addDiffCommand(program);
  addReleaseCommand(program);
  program
    .command("trace")
    .description("list each requirement: where it is encoded, which checks verify it")
    .argument("[ids...]", "the requirements to list, such as AUTH-6 (default: all)")
    .action(async (ids: string[]) => {
      const { runTrace } = await import("./trace/trace.ts");
      process.exitCode = await runTrace({ ids });
    });
}

/** Runs the command that the arguments name, as in `process.argv`, and sets the exit code. */
export const run = (argv: string[]): Promise<void> => runProgram(createProgram(), argv);

if (import.meta.main) await run(process.argv);
