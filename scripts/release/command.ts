import type { Command } from "commander";

/** Adds the command `release`. */
export function addReleaseCommand(command: Command): void {
  command
    .command("release")
    .description(
      "release the document: find breaking changes, freeze it, write the changelog entry, set the versions",
    )
    .argument("<version>", "the version to release, such as 1.1.0")
    .action(async (version: string) => {
      const { runRelease } = await import("./release.ts");
      process.exitCode = await runRelease(version);
    });
}
