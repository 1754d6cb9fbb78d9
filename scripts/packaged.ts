import { newCommand, runCommand } from "./command.ts";
import { addContractVerb } from "./contract/command.ts";
import { addDiffVerb } from "./diff/command.ts";
import { addSandboxVerb } from "./sandbox.ts";

/** Runs the verbs of the installed package: those that need no sources of the document. */
export async function run(argv: string[]): Promise<void> {
  const command = newCommand();
  addSandboxVerb(command);
  addContractVerb(command, { isPackaged: true });
  addDiffVerb(command, { isPackaged: true });
  const others = "verbs that work on the document itself need a clone of the project";
  command.addHelpText("after", `The ${others}.`).showHelpAfterError(`(see --help; ${others})`);
  await runCommand(command, argv);
}
