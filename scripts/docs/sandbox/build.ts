import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { root } from "../../common/paths.ts";

const web = join(import.meta.dirname, "web");

/** The modules of Node, by those that replace them. */
const builtins = {
  "node:buffer": join(web, "buffer.ts"),
  "node:crypto": join(web, "crypto.ts"),
  "node:http": join(web, "http.ts"),
  "node:net": join(web, "net.ts"),
  "node:timers/promises": join(web, "timers.ts"),
};

/** Modules of the sandbox, by those that replace them. */
const replaced: Readonly<Record<string, string>> = {
  "sandbox/mail/compose.ts": "compose.ts",
  "sandbox/mail/download.ts": "absent.ts",
  "sandbox/mail/outgoing.ts": "absent.ts",
  "sandbox/metrics/render.ts": "absent.ts",
  "sandbox/seed/check.ts": "absent.ts",
};

const replacements: Plugin = {
  name: "replacements",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const name = replaced[relative(root, join(resolveDir, path))];
      return name === undefined ? undefined : { path: join(web, name) };
    }),
};

/** The sandbox as the script of a worker. An import of any other module of Node fails the build. */
export async function buildWorker(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["sandbox/browser/worker.ts"],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    format: "iife",
    target: "es2024",
    alias: builtins,
    inject: [join(web, "globals.ts")],
    plugins: [replacements],
    logLevel: "error",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild wrote no file");
  return file.contents;
}

/** Writes the scripts and the style of "Try it". Only `button.js` is loaded with a page. */
export async function buildTry(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: { button: "docs/site/src/try/button.ts", panel: "docs/site/src/try/styles/panel.css" },
      outdir: folder,
      bundle: true,
      splitting: true,
      minify: true,
      platform: "browser",
      format: "esm",
      target: "es2024",
      logLevel: "error",
    }),
    buildWorker().then((worker) => writeFile(join(folder, "sandbox.js"), worker)),
  ]);
}
