// `npm run build`: compiles the package, because Node strips no types below node_modules.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { packClient } from "../client/build.ts";
import { root } from "./common/paths.ts";
import { buildTry } from "./docs/sandbox/build.ts";
import { composePages, pagesFile } from "./mcp/pages.ts";

/**
 * Compiles the command, the sandbox and the contract suite. Code that not every start needs is split off; dependencies stay imports.
 * @param folder the output folder, absolute; must lie next to the files that the package contains, as `dist/` does
 */
export async function compile(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: "scripts/packaged.ts",
      sandbox: "sandbox/index.ts",
      contract: "contract/config/config.ts",
      vitest: "contract/vitest.ts",
      "sandbox-thread": "scripts/contract/sandbox-thread.ts",
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "error",
  });
}

/** Writes the types of the package's entry points. */
async function declare(): Promise<void> {
  const compiler = join(root, "node_modules/typescript7/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", join(root, "tsconfig.package.json")]);
  // The compiler writes no declarations for files that are declarations already.
  const validators = "generated/validators/requests.d.ts";
  await cp(join(root, validators), join(root, "dist/types", validators));
}

if (import.meta.main) {
  const folder = join(root, "dist");
  // dist/docs is the reference site, which is not part of the package.
  const old = (await readdir(folder).catch(() => [])).filter((name) => name !== "docs");
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  await mkdir(folder, { recursive: true });
  const pages = composePages().then((all) => writeFile(pagesFile, JSON.stringify(all)));
  await Promise.all([compile(folder), declare(), pages, buildTry(join(folder, "try")), packClient(folder)]);
}
