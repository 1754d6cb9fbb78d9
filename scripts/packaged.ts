import type { Command } from "commander";
import { addClientCommand } from "./client-suite/command.ts";
import { addDiffCommand } from "./commands.ts";
import { newProgram, runProgram } from "./common/program.ts";
import { addCompareCommand } from "./compare/command.ts";
import { addContractCommand } from "./contract/command.ts";
import { addDocsCommand } from "./docs/command.ts";
import { addMatrixCommand } from "./matrix/command.ts";
import { addMcpCommand } from "./mcp/command.ts";
import { addObserveCommand } from "./observe/command.ts";
import { addSandboxCommand } from "./sandbox/command.ts";

/** Adds the commands that do not need the sources of the document, in the order of the help. */
export function addPackagedCommands(program: Command): void {
  addContractCommand(program);
  addClientCommand(program);
  addCompareCommand(program);
  addMatrixCommand(program);
  addObserveCommand(program);
  addSandboxCommand(program);
  addMcpCommand(program);
  addDocsCommand(program);
  addDiffCommand(program);
}

/** Runs the installed package. */
export async function run(argv: string[]): Promise<void> {
  const note = "The commands that change the document run in a clone of the project only.";
  const program = newProgram(note).addHelpText("after", note);
  addPackagedCommands(program);
  await runProgram(program, argv);
}
