import { findPackageJSON } from "node:module";
import { type Command, Option } from "commander";
import { attempted } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import packageJson from "../../package.json" with { type: "json" };
import { action, addListenOptions } from "../common/program.ts";

export function addDocsCommand(program: Command): void {
  const command = program
    .command("docs")
    .description("build the reference site into dist/docs")
    .option("--serve", "serve the site after the build, until interrupted");
  addListenOptions(command, 4030)
    .addOption(
      new Option("--base <path>", "the path that the site is published under")
        .argParser(basePath)
        .default(undefined, "/, or that of siteUrl"),
    )
    .option("--config <file>", "what a publisher decides: title, logo, URLs, overlay, versions")
    .action(
      action(async () => {
        requirePackages();
        return (await import("./build.ts")).runDocs;
      }),
    );
}

/** Adds the slashes around a path that Astro requires. */
function basePath(text: string): string {
  const path = `/${text.replaceAll(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  if (/^(\/(?!\.{1,2}\/)[\w.~-]+)*\/$/.test(path)) return path;
  throw usageError(`--base must be a path (got "${text}")`, "Example: /reference/.");
}

const { vitest: _, ...packages } = packageJson.peerDependencies;

/** @throws UserError if a package that only the site needs is not installed */
function requirePackages(): void {
  const missing = Object.entries(packages).filter(([name]) => !isInstalled(name));
  if (missing.length === 0) return;
  const list = missing.map(([name, version]) => `${name}@${version}`).join(" ");
  throw usageError(
    "packages that build the site are not installed",
    `Run this command, then the same one again:\n  npm install --save-dev --save-exact ${list}`,
  );
}

const isInstalled = (name: string): boolean =>
  attempted(() => findPackageJSON(name, import.meta.url)) !== undefined;
