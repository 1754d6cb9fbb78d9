import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedFolder, root } from "../../scripts/common/paths.ts";
import { documents, type Step, steps, type Tool } from "./generator.ts";
import { unusablePrograms } from "./programs.ts";

/** The result of running a tool. */
export interface Result {
  outcome: "passed" | "failed" | "skipped";
  /** How long each of its steps took that succeeded. */
  seconds: Partial<Record<Step, number>>;
  /** Which programs are missing or too old, or the end of the output of the step that failed. */
  detail?: string;
  /** The output of the last step. */
  output?: string;
}

/** Where Cargo puts the programs that it compiles. Other downloads stay where npm, pip, Maven, Go and Cargo keep them. */
const cache = join(root, "node_modules/.cache/generators");

/** The environment of a user's shell: without the variables of `npm run`, with the programs that the first step installs, and with this project as CLONE. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const path = [join(folder, ".venv/bin"), join(cache, "bin"), process.env.PATH].join(":");
  return {
    ...Object.fromEntries(others),
    PATH: path,
    CARGO_INSTALL_ROOT: cache,
    GOBIN: join(cache, "bin"),
    CLONE: root,
  };
}

/** How a shell line ended. */
export interface Ended {
  code: number;
  /** What it wrote, without the line break at the end. */
  output: string;
}

/** Runs a shell line in a work folder. */
export async function execute(line: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const file = join(folder, "output.log");
  const log = await open(file, "w");
  const child = spawn("sh", ["-c", line], {
    cwd: folder,
    env: { ...environmentIn(folder), ...env },
    stdio: ["ignore", log.fd, log.fd],
  });
  const [code] = await once(child, "close");
  await log.close();
  return { code, output: (await readFile(file, "utf8")).trimEnd() };
}

/** The message about a line that failed, with the end of its output. */
export const failureOf = (line: string, folder: string, { code, output }: Ended): string =>
  `${line}\nends with exit code ${code} in ${folder}:\n${output.split("\n").slice(-20).join("\n")}`;

/** Creates a temporary folder with the documents. */
export async function createWorkFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name.replaceAll(/\W+/g, "-")}-`));
  for (const document of documents) await copyFile(join(generatedFolder, document), join(folder, document));
  return folder;
}

/** Runs the steps of a tool in a folder. */
export async function runSteps(tool: Tool, folder: string): Promise<Result> {
  const result: Result = { outcome: "passed", seconds: {} };
  if (tool.file !== undefined) await copyFile(join(import.meta.dirname, tool.file), join(folder, tool.file));
  for (const step of steps) {
    const line = tool[step];
    if (line === undefined) continue;
    const start = performance.now();
    const { code, output } = await execute(line, folder);
    if (code !== 0)
      return { ...result, outcome: "failed", detail: failureOf(line, folder, { code, output }) };
    result.seconds[step] = Math.ceil((performance.now() - start) / 1000);
    result.output = output;
  }
  return result;
}

/** Runs the steps of a tool in a temporary folder, which is kept if one fails. */
export async function run(tool: Tool): Promise<Result> {
  const unusable = unusablePrograms(tool);
  if (unusable !== undefined) return { outcome: "skipped", seconds: {}, detail: unusable.detail };
  const folder = await createWorkFolder(tool.name);
  const result = await runSteps(tool, folder);
  if (result.outcome === "passed") await rm(folder, { recursive: true, force: true });
  return result;
}
