// The commands with few options. The others have a file command.ts in their folder. A command loads its code when it
// runs, which keeps `--help` fast.
import { type Command, Option } from "commander";
import { isPackaged } from "./common/paths.ts";
import { action, addListenOptions } from "./common/program.ts";
import type { DiffOptions } from "./diff/run.ts";

/** Adds the commands that check the document and make something from it. */
export function addDocumentCommands(program: Command): void {
  program
    .command("start")
    .description("bundle, lint and generate; run the contract suite on the mock and the sandbox")
    .action(action(async () => (await import("./start/start.ts")).start));
  program
    .command("lint")
    .description("check the document: OpenAPI structure and the conventions of this API")
    .addOption(new Option("--format <format>", "output format").choices(["text", "json"]).default("text"))
    .option("--config <file>", "lint the document of a site, with its overlay")
    .action(action(async () => (await import("./lint/lint.ts")).runLint));
  program
    .command("bundle")
    .description("bundle the document into generated/openapi.json and openapi.yaml")
    .action(action(async () => (await import("./bundle/bundle.ts")).runBundle));
  program
    .command("generate")
    .description("write everything in generated/ and list what changed")
    .option("--check", "write nothing; exit with code 1 if a file in generated/ is stale")
    .action(action(async () => (await import("./generate/generate.ts")).runGenerate));
  const mock = program
    .command("mock")
    .description("serve the examples of the document with Prism (stateless)");
  addListenOptions(mock, 4010)
    .option("--verbose", "print Prism's own log")
    .action(action(async () => (await import("./mock/mock.ts")).runMock));
}

export function addReleaseCommands(program: Command): void {
  program
    .command("release")
    .description(
      "release the document: find breaking changes, freeze it, write the changelog entry, set the versions",
    )
    .argument("<version>", "the version to release, such as 1.1.0")
    .action(action(async () => (await import("./release/release.ts")).runRelease));
  program
    .command("trace")
    .description("list each requirement: where it is encoded, which checks verify it")
    .argument("[ids...]", "the requirements to list, such as AUTH-6 (default: all)")
    .action(action(async () => (await import("./trace/trace.ts")).runTrace));
}

const diffHelp = `
BASE and REVISION are files (JSON or YAML, bundled or split), releases (1.0.0),
git revisions or tags, or files in a git revision (v1.0.0:api/openapi.yaml), whose
path is that from the top of the repository, or ./openapi.yaml from this folder.

Exit code: 0 no breaking change, 1 breaking changes, 2 usage error.`;

/** Adds the command `diff`. An installed package has no working tree. */
export function addDiffCommand(program: Command): void {
  const newest = isPackaged ? "this contract" : "the working tree";
  const oldest = "the latest release and the first release of its version";
  program
    .command("diff")
    .description("compare two versions of the document and report breaking changes")
    .argument("[base]", `the older document; default: ${oldest}`)
    .argument("[revision]", `the newer document; default: ${newest}`)
    .addOption(
      new Option("--format <format>", "output format")
        .choices(["text", "json", "markdown", "github"])
        .default("text"),
    )
    .option("--breaking", "show breaking changes only")
    .option("--needs <file>", "mark the changes that concern an application: what observe --needs wrote")
    .option("--allow-remote", "follow $refs to other hosts (default: files only)")
    .addHelpText("after", diffHelp)
    .action(async (base: string | undefined, revision: string | undefined, options: DiffOptions) => {
      const { runDiff } = await import("./diff/run.ts");
      process.exitCode = await runDiff({ ...options, ...(base && { base }), ...(revision && { revision }) });
    });
}
