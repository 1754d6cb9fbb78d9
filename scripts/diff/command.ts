import { type Command, Option } from "commander";
import type { DiffOptions } from "./verb.ts";

const format = new Option("--format <format>", "how to print differences")
  .choices(["text", "json", "markdown", "github"])
  .default("text");

const help = `
OLD and NEW are files (JSON or YAML, bundled or split), git revisions or tags.

Exit status: 0 nothing is breaking, 1 something is, 2 could not compare.`;

/** Adds the verb `diff`. */
export function addDiffVerb(command: Command): void {
  command
    .command("diff")
    .description("compare two versions of the document: what is allowed, what is breaking")
    .argument(
      "[old]",
      "the older document; the last release, and the first of its version, where none is given",
    )
    .argument("[new]", "the newer document; the working tree where none is given")
    .addOption(format)
    .option("--breaking", "show breaking differences only")
    .addHelpText("after", help)
    .action(
      async (
        before: string | undefined,
        after: string | undefined,
        options: Omit<DiffOptions, "old" | "new">,
      ) => {
        const { runDiff } = await import("./verb.ts");
        process.exitCode = await runDiff({
          ...options,
          ...(before && { old: before }),
          ...(after && { new: after }),
        });
      },
    );
}
