import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedFolder, root } from "../../scripts/common/paths.ts";
import { type Generator, type Step, steps } from "./generator.ts";

/** What became of a generator. */
export interface Result {
  outcome: "passed" | "failed" | "skipped";
  /** How long each of its steps took that succeeded. */
  seconds: Partial<Record<Step, number>>;
  /** Which programs are missing, or the end of the output of the step that failed. */
  detail?: string;
}

/** Where Cargo puts the programs that it compiles. Other downloads stay where npm, pip, Maven, Go and Cargo keep them. */
const cache = join(root, "node_modules/.cache/generators");

/** The environment of a reader's shell: without what `npm run` adds, with the programs that the first step installed. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const path = [join(folder, ".venv/bin"), join(cache, "bin"), process.env.PATH].join(":");
  return { ...Object.fromEntries(others), PATH: path, CARGO_INSTALL_ROOT: cache };
}

const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", 'command -v "$0"', program], { stdio: "ignore" }).status === 0;

/** @returns the end of the output if the line fails */
async function failureOf(line: string, folder: string): Promise<string | undefined> {
  const file = join(folder, "output.log");
  const log = await open(file, "w");
  const child = spawn("sh", ["-c", line], {
    cwd: folder,
    env: environmentIn(folder),
    stdio: ["ignore", log.fd, log.fd],
  });
  const [code] = await once(child, "close");
  await log.close();
  if (code === 0) return undefined;
  const output = (await readFile(file, "utf8")).trimEnd().split("\n").slice(-20);
  return [`${line}\nends with exit code ${code} in ${folder}:`, ...output].join("\n");
}

/** Takes the steps of a generator in a temporary folder, which stays if one fails. */
export async function run(generator: Generator): Promise<Result> {
  const seconds: Result["seconds"] = {};
  const missing = generator.needs.filter((program) => !isInstalled(program));
  if (missing.length > 0) return { outcome: "skipped", seconds, detail: `${missing.join(", ")} is missing` };
  const folder = await mkdtemp(join(tmpdir(), `${generator.name.replaceAll(/\W+/g, "-")}-`));
  await copyFile(join(generatedFolder, generator.document), join(folder, generator.document));
  if (generator.file !== undefined)
    await copyFile(join(import.meta.dirname, generator.file), join(folder, generator.file));
  for (const step of steps) {
    const line = generator[step];
    if (line === undefined) continue;
    const start = performance.now();
    const detail = await failureOf(line, folder);
    if (detail !== undefined) return { outcome: "failed", seconds, detail };
    seconds[step] = Math.ceil((performance.now() - start) / 1000);
  }
  await rm(folder, { recursive: true, force: true });
  return { outcome: "passed", seconds };
}
