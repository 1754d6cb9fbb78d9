import { type Command, Option } from "commander";
import { UserError } from "../../lib/user-error.ts";
import { portNumber } from "../command.ts";
import type { DocsOptions } from "../docs.ts";

/** Adds the verb that builds and shows the reference site. */
export function addDocsVerb(command: Command): void {
  command
    .command("docs")
    .description("build the reference site into dist/docs")
    .option("--serve", "show it afterwards, until interrupted")
    .addOption(
      new Option("--port <number>", "where to show it; 0 takes any free port")
        .argParser(portNumber)
        .default(4030),
    )
    .addOption(new Option("--host <address>", "the interface to show it on").default("127.0.0.1"))
    .addOption(new Option("--base <path>", "the path it is published under").argParser(basePath).default("/"))
    .action(async (options: DocsOptions) => {
      const { runDocs } = await import("../docs.ts");
      process.exitCode = await runDocs(options);
    });
}

/** A path with slashes around it, as Astro takes it. */
function basePath(text: string): string {
  const path = `/${text.replaceAll(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  if (/^(\/(?!\.{1,2}\/)[\w.~-]+)*\/$/.test(path)) return path;
  throw new UserError(`--base is no path: ${text}`, {
    hint: "Give a path such as /reference/.",
    exitCode: 2,
  });
}
