import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { root } from "../../common/paths.ts";

const web = join(import.meta.dirname, "web");
const node = join(web, "node.ts");

/** The modules of Node that `web/node.ts` replaces. */
const builtins = ["crypto", "http", "net", "timers/promises"].map((name) => `node:${name}`);

/** A module of the sandbox that `web/node.ts` replaces. */
const composer = "sandbox/mail/compose.ts";

/** Modules that need sockets or files. The sandbox loads them only with options or paths that it does not have in a page. */
const absent = ["mail/download.ts", "mail/outbound.ts", "pages/pages.ts", "seed/check.ts"].map(
  (name) => `sandbox/${name}`,
);

const replacements: Plugin = {
  name: "replacements",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const name = relative(root, join(resolveDir, path));
      if (name === composer) return { path: node };
      return absent.includes(name) ? { path: name, namespace: "absent" } : undefined;
    });
    onLoad({ filter: /./, namespace: "absent" }, () => ({
      contents: `throw new Error("this part of the sandbox does not run in a page");`,
    }));
  },
};

const options = {
  ...{ absWorkingDir: root, bundle: true, minify: true, target: "es2024" },
  platform: "browser",
  logLevel: "error",
} satisfies BuildOptions;

/** The sandbox as the script of a worker. An import of any other module of Node fails the build. */
export async function buildWorker(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ["sandbox/browser/worker.ts"],
    write: false,
    format: "iife",
    alias: Object.fromEntries(builtins.map((name) => [name, node])),
    inject: [join(web, "globals.ts")],
    plugins: [replacements],
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
      ...options,
      entryPoints: { button: "docs/site/src/try/button.ts", panel: "docs/site/src/try/panel.css" },
      outdir: folder,
      splitting: true,
      format: "esm",
    }),
    buildWorker().then((worker) => writeFile(join(folder, "sandbox.js"), worker)),
  ]);
}
