import { type Command, Option } from "commander";
import type { DiffOptions } from "./verb.ts";

const format = new Option("--format <format>", "how to print differences")
  .choices(["text", "json", "markdown", "github"])
  .default("text");

const help = `
OLD and NEW are files (JSON or YAML, bundled or split), releases (1.0.0), git
revisions or tags, or files at one (v1.0.0:api/openapi.yaml).

Exit status: 0 nothing is breaking, 1 something is, 2 could not compare.`;

/** Adds the verb `diff`. An installed package has no working tree. */
export function addDiffVerb(command: Command, { isPackaged = false } = {}): void {
  command
    .command("diff")
    .description("compare two versions of the document: what is allowed, what is breaking")
    .argument(
      "[old]",
      "the older document; the last release, and the first of its version, where none is given",
    )
    .argument(
      "[new]",
      isPackaged
        ? "the newer document; this contract where none is given"
        : "the newer document; the working tree where none is given",
    )
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
