import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedFolder, root } from "../../scripts/common/paths.ts";
import { documents, type Step, steps, type Tool } from "./generator.ts";

/** The result of running a tool. */
export interface Result {
  outcome: "passed" | "failed" | "skipped";
  /** How long each of its steps took that succeeded. */
  seconds: Partial<Record<Step, number>>;
  /** Which programs are missing, or the end of the output of the step that failed. */
  detail?: string;
  /** The output of the last step. */
  output?: string;
}

/** Where Cargo puts the programs that it compiles. Other downloads stay where npm, pip, Maven, Go and Cargo keep them. */
const cache = join(root, "node_modules/.cache/generators");

/** The environment of a user's shell: without the variables of `npm run`, with the programs that the first step installed. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const path = [join(folder, ".venv/bin"), join(cache, "bin"), process.env.PATH].join(":");
  return { ...Object.fromEntries(others), PATH: path, CARGO_INSTALL_ROOT: cache };
}

const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", 'command -v "$0"', program], { stdio: "ignore" }).status === 0;

async function execute(line: string, folder: string): Promise<{ code: number; output: string }> {
  const file = join(folder, "output.log");
  const log = await open(file, "w");
  const child = spawn("sh", ["-c", line], {
    cwd: folder,
    env: environmentIn(folder),
    stdio: ["ignore", log.fd, log.fd],
  });
  const [code] = await once(child, "close");
  await log.close();
  return { code, output: (await readFile(file, "utf8")).trimEnd() };
}

const endOf = (output: string): string => output.split("\n").slice(-20).join("\n");

/** Runs the steps of a tool in a temporary folder, which is kept if one fails. */
export async function run(tool: Tool): Promise<Result> {
  const result: Result = { outcome: "passed", seconds: {} };
  const missing = tool.needs.filter((program) => !isInstalled(program));
  if (missing.length > 0)
    return { ...result, outcome: "skipped", detail: `${missing.join(", ")} is missing` };
  const folder = await mkdtemp(join(tmpdir(), `${tool.name.replaceAll(/\W+/g, "-")}-`));
  for (const document of documents) await copyFile(join(generatedFolder, document), join(folder, document));
  if (tool.file !== undefined) await copyFile(join(import.meta.dirname, tool.file), join(folder, tool.file));
  for (const step of steps) {
    const line = tool[step];
    if (line === undefined) continue;
    const start = performance.now();
    const { code, output } = await execute(line, folder);
    const detail = `${line}\nends with exit code ${code} in ${folder}:\n${endOf(output)}`;
    if (code !== 0) return { ...result, outcome: "failed", detail };
    result.seconds[step] = Math.ceil((performance.now() - start) / 1000);
    result.output = output;
  }
  await rm(folder, { recursive: true, force: true });
  return result;
}
