import type { Command } from "commander";
import { addDocumentCommands, addReleaseCommands } from "./commands.ts";
import { newProgram, runProgram } from "./common/program.ts";
import { addPackagedCommands } from "./packaged.ts";

/** The program with every command, in the order of its help. */
export function createProgram(): Command {
  const program = newProgram();
  addDocumentCommands(program);
  addPackagedCommands(program);
  addReleaseCommands(program);
  return program;
}

/** Runs the command that the arguments name, as in `process.argv`, and sets the exit code. */
export const run = (argv: string[]): Promise<void> => runProgram(createProgram(), argv);

if (import.meta.main) await run(process.argv);
