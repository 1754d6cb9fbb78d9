// `npm run build` in this folder: compiles the package, with type declarations.
import { execFile } from "node:child_process";
import { cp, glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BuildOptions, build, type Plugin } from "esbuild";

const folder = import.meta.dirname;

/** Compiles the client and its types into a folder, which is removed first. */
export async function buildClient(outdir = join(folder, "dist")): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await Promise.all([compile(outdir), declare(join(outdir, "types"))]);
}

/**
 * One file for each entry point, since every further file makes programs start slower. The little that `node` shares with
 * `index` is in both. Nothing is minified: that is for bundlers.
 */
async function compile(outdir: string): Promise<void> {
  const settings: BuildOptions = {
    absWorkingDir: folder,
    bundle: true,
    external: ["node:*"],
    platform: "neutral",
    target: "es2022",
    format: "esm",
    logLevel: "error",
  };
  const main = 'export * from "./index.ts"; export * from "./shared.ts";';
  await Promise.all([
    build({
      ...settings,
      stdin: { contents: main, resolveDir: join(folder, "src"), sourcefile: "index.js" },
      outfile: join(outdir, "index.js"),
    }),
    build({ ...settings, entryPoints: [join(folder, "src/node.ts")], outfile: join(outdir, "node.js") }),
    build({
      ...settings,
      entryPoints: [join(folder, "src/fetch.ts")],
      outfile: join(outdir, "fetch.js"),
      plugins: [sharing],
    }),
  ]);
}

/** `fetch` imports shared code from `index`, so that both entry points have the same error classes. */
const sharing: Plugin = {
  name: "sharing",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/shared\.ts$/ }, () => ({ path: "./index.js", external: true }));
  },
};

async function declare(outDir: string): Promise<void> {
  const compiler = join(folder, "../node_modules/typescript7/bin/tsc");
  const settings = ["-p", join(folder, "tsconfig.build.json"), "--outDir", outDir];
  await promisify(execFile)(process.execPath, [compiler, ...settings]);
  // Not every compiler resolves declarations for an import of a .ts file. Ids of requirements say nothing to users of the package.
  for await (const file of glob("**/*.d.ts", { cwd: outDir })) {
    const text = await readFile(join(outDir, file), "utf8");
    await writeFile(
      join(outDir, file),
      text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"').replaceAll(/ \((?:[A-Z]+-\d+(?:, |(?=\))))+\)/g, ""),
    );
  }
}

/** The README without links to files that the package does not contain. */
async function writeReadme(destination: string): Promise<void> {
  const text = await readFile(join(folder, "README.md"), "utf8");
  await writeFile(join(destination, "README.md"), text.replaceAll(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, "$1"));
}

/** Packs the client into a file of a folder, as `npm pack` does, but leaves `dist/` alone. */
export async function packClient(destination: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), "email-api-client-"));
  try {
    await Promise.all([
      buildClient(join(temporary, "dist")),
      writeReadme(temporary),
      ...["package.json", "LICENSE"].map((name) => cp(join(folder, name), join(temporary, name))),
    ]);
    const args = ["pack", temporary, "--ignore-scripts", "--silent", "--pack-destination", destination];
    await promisify(execFile)("npm", args, { shell: process.platform === "win32" });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildClient();
