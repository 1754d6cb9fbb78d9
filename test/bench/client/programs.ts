import { execFile } from "node:child_process";
import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "../../../scripts/common/paths.ts";
import { median } from "../measure.ts";
import { type Contender, once } from "./contenders.ts";

const execute = promisify(execFile);

/** The program that sends one message, bundled, minified and compressed, in bytes. */
export async function bundledBytes(contender: Contender, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: once(contender), resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

/** Its packages with all dependencies: their number, and their size on disk in KiB. */
export async function installed(
  { packages }: Contender,
  folder: string,
): Promise<{ packages: number; kibibytes: number }> {
  const names = new Set(packages);
  let bytes = 0;
  // A set may grow while it is iterated.
  for (const name of names) {
    const place = join(folder, "node_modules", name);
    const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    for (const dependency of Object.keys(manifest.dependencies ?? {})) names.add(dependency);
    for (const file of await readdir(place, { recursive: true })) {
      const entry = await stat(join(place, file));
      if (entry.isFile()) bytes += entry.size;
    }
  }
  return { packages: names.size, kibibytes: bytes / 1024 };
}

/** Links installed packages into a folder that has others. */
export async function linkPackages(modules: string, folder: string): Promise<void> {
  for (const name of await readdir(modules))
    if (!name.startsWith("."))
      await symlink(join(modules, name), join(folder, "node_modules", name)).catch(ignoreExisting);
}

function ignoreExisting(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EEXIST") throw reason;
}

/** The type instantiations of the compiler for sending one message, beyond an empty program. */
export async function instantiations(contender: Contender, folder: string): Promise<number> {
  const count = async (code: string) => {
    await writeFile(join(folder, "counted.ts"), code);
    const settings = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const more = ["--types", "node", "--extendedDiagnostics", join(folder, "counted.ts")];
    const { stdout } = await execute(process.execPath, [compiler, ...settings, ...more], { cwd: folder });
    return Number(/Instantiations:\s*(\d+)/.exec(stdout)?.[1]);
  };
  return (await count(once(contender))) - (await count("console.log(process.env.KEY);\n"));
}

/** Compiles a program for Node. */
export async function compileTo(file: string, code: string, folder: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: "ts" },
    format: "esm",
    // Keeps unused imports.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    target: "es2024",
    write: false,
  });
  await writeFile(join(folder, file), outputFiles[0]?.text ?? "");
}

/** Runs a program; returns its duration in milliseconds and its output. */
async function run(
  file: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ duration: number; output: string }> {
  const start = performance.now();
  const { stdout } = await execute(process.execPath, [file], { cwd, env: { ...process.env, ...env } });
  return { duration: performance.now() - start, output: stdout };
}

/** Where the programs run, and with which environment. */
export interface RunOptions {
  folder: string;
  env: Record<string, string>;
  rounds: number;
}

/**
 * The durations of programs relative to the first one, from medians. They run in turns, so that the load of the machine affects
 * all of them.
 */
export async function relativeTimes(files: string[], { folder, env, rounds }: RunOptions): Promise<number[]> {
  const times = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, file] of files.entries()) times[index]?.push((await run(file, folder, env)).duration);
  const medians = times.map(median);
  return medians.map((time) => time / (medians[0] ?? Number.NaN));
}

/** The number that each program prints relative to that of the first, as the median of all rounds. */
export async function relativeOutputs(
  files: string[],
  { folder, env, rounds }: RunOptions,
): Promise<number[]> {
  const ratios = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const printed: number[] = [];
    for (const file of files) printed.push(Number((await run(file, folder, env)).output));
    for (const [index, number] of printed.entries()) ratios[index]?.push(number / (printed[0] ?? Number.NaN));
  }
  return ratios.map(median);
}
