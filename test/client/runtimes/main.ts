import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { build } from "esbuild";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { root } from "../../../scripts/common/paths.ts";

// `npm run runtimes:client`: the packed tarball on every supported runtime. The script installs them in this folder.

const execute = promisify(execFile);
const modules = join(import.meta.dirname, "node_modules");

/** The command of each runtime, installed from npm. */
const commands: Record<string, [string, ...string[]]> = {
  "Node 22": ["node22/bin/node"],
  "Node 24": [process.execPath],
  "Node 26": ["node26/bin/node"],
  Bun: [".bin/bun"],
  Deno: [".bin/deno", "run", "--allow-all", "--node-modules-dir=manual"],
};

/** Creates a project with the tarball only. */
async function unpack(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "email-api-runtimes-"));
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "client"),
  });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await execute(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", join(folder, filename)],
    { cwd: folder },
  );
  await cp(join(import.meta.dirname, "smoke.mjs"), join(folder, "smoke.mjs"));
  const program =
    'import { smoke } from "./smoke.mjs";\n' +
    "const { KEY: key, BASE_URL: baseUrl, SILENT_URL: silentUrl } = process.env;\n" +
    "console.log(JSON.stringify(await smoke({ key, baseUrl, silentUrl })));\n";
  await writeFile(join(folder, "main.mjs"), program);
  return folder;
}

interface Servers {
  key: string;
  baseUrl: string;
  silentUrl: string;
}

async function runProgram(
  command: [string, ...string[]],
  folder: string,
  servers: Servers,
): Promise<unknown> {
  const [program, ...parameters] = command;
  const env = { ...process.env, KEY: servers.key, BASE_URL: servers.baseUrl, SILENT_URL: servers.silentUrl };
  const { stdout } = await execute(resolve(modules, program), [...parameters, "main.mjs"], {
    cwd: folder,
    env,
  });
  return JSON.parse(stdout);
}

/** Runs it bundled in a worker, as workers are published. */
async function runWorker(folder: string, servers: Servers): Promise<unknown> {
  const code =
    'import { smoke } from "./smoke.mjs";\n' +
    "export default { async fetch(request) { return Response.json(await smoke(await request.json())); } };\n";
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    format: "esm",
    write: false,
  });
  const { Miniflare } = createRequire(join(modules, "x.js"))("miniflare");
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text,
    compatibilityDate: "2026-01-01",
  });
  try {
    const response = await worker.dispatchFetch("http://worker/", {
      method: "POST",
      body: JSON.stringify(servers),
    });
    return await response.json();
  } finally {
    await worker.dispose();
  }
}

/** The results of the smoke test in every runtime. */
const expected = {
  replayed: true,
  attempts: 2,
  accepted: 130,
  missing: "not_found",
  late: 1,
  gone: "TimeoutError",
  fetched: 200,
  shown: false,
};

async function tryAll(folder: string, sandbox: Sandbox, silentUrl: string): Promise<boolean> {
  const servers = { key: sandbox.keys["all abilities"] ?? "", baseUrl: sandbox.url, silentUrl };
  const runs = Object.entries(commands).map(
    ([name, command]) => [name, () => runProgram(command, folder, servers)] as const,
  );
  let passed = true;
  for (const [name, run] of [...runs, ["workerd", () => runWorker(folder, servers)] as const]) {
    await sandbox.reset();
    await sandbox.failures.add({ kind: "cut" }, 1);
    const result = await run().catch((reason: unknown) => reason);
    const isExpected = isDeepStrictEqual(result, expected);
    passed &&= isExpected;
    console.log(`${name.padEnd(8)} ${isExpected ? "pass" : "fail"}`);
    if (!isExpected) console.log(result);
  }
  return passed;
}

const silent = createServer(() => {}).listen(0, "127.0.0.1");
await once(silent, "listening");
const sandbox = await startSandbox();
const folder = await unpack();
try {
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  process.exitCode = (await tryAll(folder, sandbox, silentUrl)) ? 0 : 1;
} finally {
  silent.closeAllConnections();
  silent.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
}
