// `npm run build` in this folder: what the package carries. Compiled for programs and bundlers; types beside it.
import { execFile } from "node:child_process";
import { glob, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BuildOptions, build, type Plugin } from "esbuild";

const folder = import.meta.dirname;

/** Compiles the client and its types into a folder, which is emptied first. */
export async function buildClient(outdir = join(folder, "dist")): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await Promise.all([compile(outdir), declare(join(outdir, "types"))]);
}

/**
 * The entries: a file each, since every further one costs a program a part of its start. The little that `node` shares with `index`
 * is in both. Nothing is minified: a bundler does that, and people read it.
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

/** `fetch` takes what it shares from `index`, since an error of the one face must be an error of the other. */
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
  // Types name the files that are there for programs: not every compiler looks for types beside a .ts file.
  for await (const file of glob("**/*.d.ts", { cwd: outDir })) {
    const text = await readFile(join(outDir, file), "utf8");
    await writeFile(join(outDir, file), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

if (import.meta.main) await buildClient();
