import { type Command, Option } from "commander";
import { newCommand, portNumber, runCommand } from "./command.ts";
import { addContractVerb } from "./contract/command.ts";
import { addDiffVerb } from "./diff/command.ts";
import { addDocsVerb } from "./docs/command.ts";
import type { MockVerbOptions } from "./mock.ts";
import { addReleaseVerb } from "./release/command.ts";
import { addSandboxVerb } from "./sandbox.ts";

/** Every verb of the command line. A verb loads its code only when it is called, so that `--help` is quick. */
export function program(): Command {
  const command = newCommand();
  addDocumentVerbs(command);
  addServerVerbs(command);
  addSandboxVerb(command);
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
  addContractVerb(command);
}

function addReportVerbs(command: Command): void {
  addDocsVerb(command);
  addDiffVerb(command);
  addReleaseVerb(command);
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

/** Runs the verb that the arguments name, as in `process.argv`, and sets the exit status. */
export const run = (argv: string[]): Promise<void> => runCommand(program(), argv);

if (import.meta.main) await run(process.argv);
