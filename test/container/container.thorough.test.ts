import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../scripts/common/paths.ts";
import { packedProject } from "../packed.ts";
import { container } from "./containerfile.ts";

// The steps of the Containerfile in a folder instead of an image.

const run = promisify(execFile);

/** Nobody. Only root can change its user; anyone else has no rights already. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let app: string;

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  NODE_ENV: "production",
  TMPDIR: join(folder, "tmp"),
  ...more,
});

/** A command of the container: its paths below /app are those of the folder. */
const inFolder = (command: readonly string[]): [string, string[]] => {
  const [, ...words] = command.map((word) => word.replace("/app/", `${app}/`));
  return [process.execPath, words];
};

const start = (...words: string[]): ChildProcess => {
  const [program, args] = inFolder([...container.entrypoint, ...words]);
  return spawn(program, args, { ...user, cwd: join(folder, "data"), env: environment() });
};

/** Every file and folder with the time of its last change. */
async function filesOf(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true });
  return Promise.all(names.sort().map(async (name) => `${name} ${(await stat(join(path, name))).mtimeMs}`));
}

async function checkHealth(url: string): Promise<number> {
  const [program, args] = inFolder(container.healthCheck);
  const env = environment({ HEALTH_URL: url });
  const child = spawn(program, args, { ...user, cwd: join(folder, "data"), env, stdio: "ignore" });
  const [code] = await once(child, "exit");
  return code;
}

describe("the package as it is in the container", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-container-"));
    app = join(folder, "app");
    await chmod(folder, 0o755);
    for (const name of ["data", "tmp"]) {
      await mkdir(join(folder, name));
      if (user.uid !== undefined) await chown(join(folder, name), user.uid, user.gid);
    }
    await mkdir(app);
    const install = container.install
      .replaceAll("/source/", join(root, "/"))
      .replace("/tmp/email-api-contract-*.tgz", await packedProject());
    await run("sh", ["-c", install], { cwd: app });
    await run("chmod", ["-R", "a-w", app]);
  }, 120_000);
  afterAll(async () => {
    await run("chmod", ["-R", "u+w", folder]);
    await rm(folder, { recursive: true, force: true });
  });

  test("has the dependencies of the package and no others", async () => {
    const installed = await readdir(join(app, "node_modules"));
    for (const name of Object.keys(packageJson.dependencies))
      expect(installed).toContain(name.replace(/\/.*/, ""));
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    // Dependencies of the package have some of those for development, too.
    const development = Object.keys(packageJson.devDependencies).filter(
      (name) => !name.startsWith("@") && packages[`node_modules/${name}`].dev,
    );
    expect(development.filter((name) => installed.includes(name))).toEqual([]);
  });

  test("has the versions of the lock file", async () => {
    const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    for (const name of ["ajv", "pg-protocol", "fast-uri"]) {
      const { version } = JSON.parse(await readFile(join(app, "node_modules", name, "package.json"), "utf8"));
      expect([name, version]).toEqual([name, lock.packages[`node_modules/${name}`].version]);
    }
  });

  test("has no private key", async () => {
    const files = await readdir(join(app, "node_modules", packageJson.name), {
      recursive: true,
      withFileTypes: true,
    });
    const found = [];
    for (const file of files.filter((one) => one.isFile()))
      if (/BEGIN [A-Z ]*PRIVATE KEY/.test(await readFile(join(file.parentPath, file.name), "utf8")))
        found.push(file.name);
    expect(found).toEqual([]);
  });

  test("runs as a user without rights, is healthy, writes nothing but its data, and stops when asked to", async () => {
    const before = await filesOf(app);
    const data = join(folder, "data", "sandbox");
    const child = start("sandbox", "--port", "0", "--quiet", "--data", data);
    const [line] = (await once(child.stdout?.setEncoding("utf8") ?? child, "data")) as [string];
    const url = line.trim();
    expect(await checkHealth(`${url}/health`)).toBe(0);
    expect((await fetch(`${url}/`)).status).toBe(200);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    expect(await checkHealth(`${url}/health`)).toBe(1);
    expect(await readdir(data)).toContain("sandbox.sqlite");
    expect(await filesOf(app)).toEqual(before);
  });

  test("runs the other commands too", async () => {
    const child = start("contract", "--target", "sandbox", "--grep", "IDEM-2");
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output).toMatch(/requirements? pass/);
  });
});
