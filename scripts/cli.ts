import type { Command } from "commander";
import { addClientCommand } from "./client-suite/command.ts";
import { addDiffCommand, addDocumentCommands, addReleaseCommands } from "./commands.ts";
import { newProgram, runProgram } from "./common/program.ts";
import { addCompareCommand } from "./compare/command.ts";
import { addContractCommand } from "./contract/command.ts";
import { addDocsCommand } from "./docs/command.ts";
import { addMatrixCommand } from "./matrix/command.ts";
import { addMcpCommand } from "./mcp/command.ts";
import { addObserveCommand } from "./observe/command.ts";
import { addSandboxCommand } from "./sandbox/command.ts";

/** The program with every command, in the order of its help. */
export function createProgram(): Command {
  const program = newProgram();
  addDocumentCommands(program);
  addContractCommand(program);
  addClientCommand(program);
  addCompareCommand(program);
  addMatrixCommand(program);
  addObserveCommand(program);
  addSandboxCommand(program);
  addMcpCommand(program);
  addDocsCommand(program);
  addDiffCommand(program);
  addReleaseCommands(program);
  return program;
}

/** Runs the command that the arguments name, as in `process.argv`, and sets the exit code. */
export const run = (argv: string[]): Promise<void> => runProgram(createProgram(), argv);

if (import.meta.main) await run(process.argv);
