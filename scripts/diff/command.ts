import { type Command, Option } from "commander";
import type { DiffOptions } from "./run.ts";

const format = new Option("--format <format>", "output format")
  .choices(["text", "json", "markdown", "github"])
  .default("text");

const help = `
BASE and REVISION are files (JSON or YAML, bundled or split), releases (1.0.0),
git revisions or tags, or files in a git revision (v1.0.0:api/openapi.yaml).

Exit code: 0 no breaking change, 1 breaking changes, 2 usage error.`;

const packagedHelp = help.replace("JSON or YAML, bundled or split", "bundles in JSON or YAML");

/** Adds the command `diff`. An installed package has no working tree and cannot bundle. */
export function addDiffCommand(command: Command, { isPackaged = false } = {}): void {
  const revision = isPackaged ? "this contract" : "the working tree";
  command
    .command("diff")
    .description("compare two versions of the document and report breaking changes")
    .argument(
      "[base]",
      "the older document; default: the latest release and the first release of its version",
    )
    .argument("[revision]", `the newer document; default: ${revision}`)
    .addOption(format)
    .option("--breaking", "show breaking changes only")
    .addHelpText("after", isPackaged ? packagedHelp : help)
    .action(
      async (
        base: string | undefined,
        newer: string | undefined,
        options: Omit<DiffOptions, "base" | "revision">,
      ) => {
        const { runDiff } = await import("./run.ts");
        process.exitCode = await runDiff({
          ...options,
          ...(base && { base }),
          ...(newer && { revision: newer }),
        });
      },
    );
}
