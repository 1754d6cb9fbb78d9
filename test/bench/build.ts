import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** The sandbox as a package would carry it: compiled, the parts that not every start needs in files of their own. */
export interface Built {
  /** The script that starts it. */
  script: string;
  /** Bytes of everything outside the project that it uses at run time, whole packages. */
  dependencies: number;
  packages: string[];
}

const root = new URL("../../", import.meta.url).pathname;

/** Compiles the sandbox into the folder. */
export async function buildSandbox(folder: string): Promise<Built> {
  const { metafile } = await build({
    entryPoints: [join(root, "test/bench/server.ts")],
    absWorkingDir: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    metafile: true,
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const packages = [...new Set(names)].sort();
  const sizes = packages.map((name) => sizeOf(join(root, "node_modules", name)));
  return {
    script: join(folder, "server.mjs"),
    dependencies: sizes.reduce((sum, size) => sum + size, 0),
    packages,
  };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
