// `npm run build`: what the package carries. Node reads no TypeScript below node_modules, so it is compiled.
import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "./paths.ts";

/**
 * Compiles the command and the sandbox, with what not every start needs in files of its own; dependencies stay imports.
 *
 * @param folder where to, absolute; it has to lie where `dist/` would, beside the files that the package carries
 */
export async function compile(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: "scripts/packaged.ts",
      sandbox: "sandbox/index.ts",
      contract: "test/contract/config/config.ts",
      "contract.check": "test/contract/run.check.ts",
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

/** The types of the sandbox, for those who start one in their tests. */
async function declare(): Promise<void> {
  const compiler = join(root, "node_modules/typescript7/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", join(root, "tsconfig.package.json")]);
}

if (import.meta.main) {
  const folder = join(root, "dist");
  // The reference site, which the package does not carry, stands in dist/docs.
  const old = (await readdir(folder).catch(() => [])).filter((name) => name !== "docs");
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  await Promise.all([compile(folder), declare()]);
}
