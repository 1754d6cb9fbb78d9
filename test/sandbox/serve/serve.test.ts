import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { runHere } from "../../scripts/run-here.ts";
import { clientOf, keys } from "../rig.ts";
import { runVerb, type SandboxProcess } from "./process.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("No curl here: the call that is shown at the start is not pasted into a shell.");

const running: SandboxProcess[] = [];
const start = (...flags: string[]): SandboxProcess => {
  const one = runVerb("--port", "0", ...flags);
  running.push(one);
  return one;
};
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

const address = /http:\/\/127\.0\.0\.1:\d+/;
const bearer = { authorization: `Bearer ${keys.all}` };
const client = (url: string) => clientOf({ url });

describe("the start", () => {
  test.skipIf(!hasCurl)("the call that is shown works when it is pasted", async () => {
    const sandbox = start();
    const [, call = ""] = await sandbox.says(/A first call\n([\s\S]+?)\n\n/);
    const { stdout } = await promisify(execFile)("sh", ["-c", call]);
    expect(JSON.parse(stdout)).toMatchObject({ to: ["success@simulator.example"], suppressed: [] });
    await sandbox.says(/POST \/api\/v1\/emails 202/);
  });

  test("quietly, it says only the address", async () => {
    const sandbox = start("--quiet");
    const [url] = await sandbox.says(address);
    expect((await client(url).me().withResponse()).status).toBe(200);
    expect(await sandbox.end("SIGTERM")).toBe(0);
    expect(sandbox.out()).toBe(`${url}\n`);
    expect(sandbox.errors()).toBe("");
  });

  test("for programs, it says everything in lines of JSON, and no key", async () => {
    const sandbox = start("--log", "json");
    const [url] = await sandbox.says(address);
    await fetch(`${url}/api/v1/me?token=secret`, { headers: bearer });
    await fetch(`${url}/api/v1/me`, { headers: { authorization: "Bearer sandbox_wrong" } });
    expect(await sandbox.end("SIGINT")).toBe(0);
    const lines = sandbox
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: "ready", url },
      { event: "call", method: "GET", path: "/api/v1/me", status: 200, account: "bakery" },
      {
        event: "call",
        method: "GET",
        path: "/api/v1/me",
        status: 401,
        account: null,
        error_type: "unauthorized",
      },
      { event: "stopped" },
    ]);
    expect(sandbox.out()).not.toMatch(/sandbox_|secret/);
  });

  test("beyond loopback it warns, and keeps control calls shut", async () => {
    const sandbox = start("--quiet", "--host", "0.0.0.0");
    const [, port] = await sandbox.says(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/sandbox/reset`, { method: "POST" })).status).toBe(403);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await sandbox.end("SIGTERM");
    expect(sandbox.errors()).toContain("warning: other machines can reach this sandbox");
  });

  test("the clock can stand still at a given time", async () => {
    const sandbox = start("--quiet", "--frozen", "--start-at", "2027-01-31T09:00:00Z");
    const [url] = await sandbox.says(address);
    const answer = await fetch(`${url}/sandbox/clock`, { method: "POST", body: '{"advance":"PT1M"}' });
    expect(await answer.json()).toMatchObject({ now: "2027-01-31T09:01:00.000Z" });
  });
});

describe("the end", () => {
  test("an answer under way is finished", async () => {
    const sandbox = start("--quiet");
    const [url] = await sandbox.says(address);
    await fetch(`${url}/sandbox/failures`, { method: "POST", body: '{"failure":"delay","delay":300}' });
    const answer = client(url).me().withResponse();
    // The failure is used up once the call is under way.
    while ((await (await fetch(`${url}/sandbox/failures`)).text()).includes('"delay"'));
    expect(await sandbox.end("SIGTERM")).toBe(0);
    expect((await answer).status).toBe(200);
  });

  test("an answer held up on purpose for longer than the end may take is given at once", async () => {
    const sandbox = start("--quiet");
    const [url] = await sandbox.says(address);
    await fetch(`${url}/sandbox/failures`, { method: "POST", body: '{"failure":"delay","delay":"PT10M"}' });
    const answer = client(url).me().withResponse();
    while ((await (await fetch(`${url}/sandbox/failures`)).text()).includes('"delay"'));
    expect(await sandbox.end("SIGTERM")).toBe(0);
    expect((await answer).status).toBe(200);
  });

  test("what was kept in a folder is there again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
    try {
      const first = start("--quiet", "--data", folder);
      const [url] = await first.says(address);
      const body = { email: "kept@readers.example" };
      await fetch(`${url}/sandbox/suppress`, { method: "POST", body: JSON.stringify(body) });
      await fetch(`${url}/sandbox/unsuppress`, {
        method: "POST",
        body: '{"email":"gone@readers.example"}',
      });
      expect(await first.end("SIGTERM")).toBe(0);
      expect(readdirSync(folder).length).toBeGreaterThan(0);
      const second = start("--quiet", "--data", folder);
      const [again] = await second.says(address);
      const { suppressions } = (await (await fetch(`${again}/sandbox/suppressions`)).json()) as {
        suppressions: { email: string }[];
      };
      const addresses = suppressions.map((entry) => entry.email);
      expect(addresses).toContain("kept@readers.example");
      expect(addresses).not.toContain("gone@readers.example");
      expect(await second.end("SIGTERM")).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("what cannot be started says why, and what to do", () => {
  test.for<[string, string[], string, string]>([
    [
      "a seed that is not there",
      ["--seed", "none.yaml"],
      "cannot read none.yaml: there is no such file",
      "Give --seed the path",
    ],
    [
      "a host of another machine",
      ["--host", "192.0.2.1"],
      "192.0.2.1 is no address of this machine",
      "Leave --host out",
    ],
    ["a start that is no time", ["--start-at", "soon"], "--start-at is not a time", "Give one like"],
  ])("%s", async ([, flags, error, hint]) => {
    const { status, err } = await runHere("sandbox", "--port", "0", ...flags);
    expect(status).toBe(2);
    expect(err).toContain(`error: ${error}`);
    expect(err).toContain(`hint:  ${hint}`);
    expect(err).not.toContain("    at ");
  });

  test("a seed that does not fit names the line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
    const path = join(folder, "shop.yaml");
    writeFileSync(path, "accounts:\n  - id: shop\n    keys: []\n    colour: red\n");
    const { status, err } = await runHere("sandbox", "--port", "0", "--seed", path);
    expect(status).toBe(2);
    expect(err).toContain(`${path}:4:13 accounts[0].colour is not a known property`);
    rmSync(folder, { recursive: true });
  });

  test("a port in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const sandbox = runVerb("--port", String(port));
    expect(await sandbox.ended).toBe(2);
    expect(sandbox.errors()).toContain(
      `error: Port ${port} of 127.0.0.1 is in use.\nhint:  Give another with --port`,
    );
    taken.close();
  });
});
