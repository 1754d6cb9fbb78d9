import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { generatedFolder, root } from "../../scripts/common/paths.ts";

/** The steps of a tool, in this order. */
export const steps = ["install", "generate", "compile", "read"] as const;
export type Step = (typeof steps)[number];

/** A tool that reads the documents. Its steps are shell commands in a folder with the documents; the guide shows the same commands. */
export interface Tool extends Partial<Record<Step, string>> {
  name: string;
  version: string;
  /** The programs that the steps need. */
  needs: string[];
  /** The oldest versions of programs that the steps work with, such as `1.88` of `cargo`. */
  versions?: Readonly<Record<string, string>>;
  /** A file that a step needs, from this folder. */
  file?: string;
}

export interface Generator extends Tool {
  language: string;
  /** The file of `generated/` that it reads. */
  document: (typeof documents)[number];
  /** Why it reads another file than openapi.json, needs an option, or is not compiled. */
  note?: string;
  install: string;
  generate: string;
}

/** Reads every document, and fails if one has errors. */
export interface Reader extends Tool {
  read: string;
  /** Whether its output says more than that it passed. */
  printsResults?: boolean;
}

export const documents = ["openapi.json", "openapi-3.0.json", "openapi-flat.json"] as const;

export const commandsOf = (tool: Tool): string[] =>
  steps.map((step) => tool[step]).filter((command) => command !== undefined);

/** The result of running a tool. */
export interface Result {
  outcome: "passed" | "failed" | "skipped";
  /** How long each of its steps took that succeeded. */
  seconds: Partial<Record<Step, number>>;
  /** Which programs are missing or too old, or the end of the output of the step that failed. */
  detail?: string;
  /** Of a tool that is skipped: whether a program is missing, and none is too old. */
  isMissing?: boolean;
  /** The output of the last step. */
  output?: string;
}

/** Where Cargo puts the programs that it compiles. Other downloads stay where npm, pip, Maven, Go and Cargo keep them. */
const cache = join(root, "node_modules/.cache/generators");

/** The environment of a user's shell: without the variables of `npm run` and with the programs that the first step installs. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const path = [join(folder, ".venv/bin"), join(cache, "bin"), process.env.PATH].join(":");
  return {
    ...Object.fromEntries(others),
    PATH: path,
    CARGO_INSTALL_ROOT: cache,
    GOBIN: join(cache, "bin"),
    // No Java program runs long enough for what it costs to compile its code twice: Maven, the generators, the compilers.
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
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

/** Creates a temporary folder with the documents of a publisher: with another title, which no command may depend on. */
export async function createWorkFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name.replaceAll(/\W+/g, "-")}-`));
  for (const name of documents) {
    const document = JSON.parse(await readFile(join(generatedFolder, name), "utf8"));
    document.info.title = "Bakery Mail";
    await writeFile(join(folder, name), JSON.stringify(document, null, 2));
  }
  return folder;
}

/** Runs the steps of a tool in a folder. */
export async function runSteps(tool: Tool, folder: string): Promise<Result> {
  const result: Result = { outcome: "passed", seconds: {} };
  if (tool.file !== undefined)
    await copyFile(join(import.meta.dirname, tool.file), join(folder, basename(tool.file)));
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
  if (unusable !== undefined) return { outcome: "skipped", seconds: {}, ...unusable };
  const folder = await createWorkFolder(tool.name);
  const result = await runSteps(tool, folder);
  if (result.outcome === "passed") await rm(folder, { recursive: true, force: true });
  return result;
}

/** The Debian package of a program; a library is named as its package. */
const debianPackages: Readonly<Record<string, string>> = {
  cargo: "cargo",
  composer: "composer",
  go: "golang-go",
  java: "default-jdk-headless",
  javac: "default-jdk-headless",
  mvn: "maven",
  npm: "npm",
  php: "php-cli",
  "php-curl": "php-curl",
  "php-guzzlehttp-guzzle": "php-guzzlehttp-guzzle",
  "php-mbstring": "php-mbstring",
  python3: "python3-venv",
  ruby: "ruby",
  "ruby-typhoeus": "ruby-typhoeus",
};

/** How a program prints its version, and where newer ones than those of Debian are. */
const versioned: Readonly<Record<string, { option: string; page: string }>> = {
  cargo: { option: "--version", page: "https://rustup.rs" },
  go: { option: "version", page: "https://go.dev/dl" },
  java: { option: "-version", page: "https://adoptium.net" },
  node: { option: "--version", page: "https://nodejs.org" },
  php: { option: "--version", page: "https://www.php.net/downloads" },
  python3: { option: "--version", page: "https://www.python.org/downloads" },
  ruby: { option: "--version", page: "https://www.ruby-lang.org/en/downloads" },
};

/** Why a tool cannot run. */
export interface Unusable {
  /** What is missing or too old, and what installs it. */
  detail: string;
  /** Whether a program is missing, and none is too old. */
  isMissing: boolean;
}

const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", 'command -v "$0" || dpkg -s "$0"', program], { stdio: "ignore" }).status === 0;

/** What a tool needs and the machine does not have; undefined if it has everything. */
export function unusablePrograms({
  needs,
  versions = {},
}: Pick<Tool, "needs" | "versions">): Unusable | undefined {
  const missing = needs.filter((program) => !isInstalled(program));
  const old = Object.entries(versions).flatMap(([program, needed]) =>
    missing.includes(program) ? [] : (tooOld(program, needed) ?? []),
  );
  if (missing.length === 0 && old.length === 0) return undefined;
  return { detail: [...missingText(missing), ...old].join("; "), isMissing: old.length === 0 };
}

/** `go is missing: apt-get install golang-go` */
function missingText(missing: string[]): string[] {
  if (missing.length === 0) return [];
  const packages = missing.flatMap((program) => debianPackages[program] ?? []);
  const hint = packages.length === 0 ? "" : `: apt-get install ${packages.join(" ")}`;
  return [`${missing.join(", ")} is missing${hint}`];
}

/** `cargo 1.63.0 is too old, 1.88 is needed: install it from https://rustup.rs`; undefined if the program is new enough. */
function tooOld(program: string, needed: string): string | undefined {
  const { option, page } = versioned[program] ?? { option: "--version", page: undefined };
  const { stdout, stderr } = spawnSync(program, [option], { encoding: "utf8" });
  const [found] = /\d+(\.\d+)*/.exec(`${stdout}${stderr}`) ?? [];
  // As `1.63.0` is later than `1.9`.
  const isOld = found !== undefined && found.localeCompare(needed, "en", { numeric: true }) < 0;
  if (!isOld) return undefined;
  return `${program} ${found} is too old, ${needed} is needed${page === undefined ? "" : `: install it from ${page}`}`;
}
