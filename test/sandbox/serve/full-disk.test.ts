import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { checkResponse } from "../responses.ts";
import { keys, mail } from "../rig.ts";
import { runSandbox, runWithoutSpace, type SandboxProcess } from "./process.ts";

const running: SandboxProcess[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

const started = async (sandbox: SandboxProcess): Promise<[SandboxProcess, string]> => {
  running.push(sandbox);
  const [url] = await sandbox.says(/http:\/\/127\.0\.0\.1:\d+/);
  return [sandbox, url];
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const flags = (data: string) => ["--port", "0", "--quiet", "--data", data];

/** A folder with the data of an earlier run. */
async function used(data: string): Promise<string> {
  const [sandbox, url] = await started(runSandbox(...flags(data)));
  expect((await send(url)).status).toBe(202);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(await sandbox.end("SIGTERM")).toBe(0);
  return data;
}

async function call(url: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${keys.all}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  checkResponse({
    method,
    path,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
  });
  return { status: response.status, body: JSON.parse(text) };
}

const send = (url: string) => call(url, "POST", "/api/v1/emails", mail());

/** Every request gets a 500 that names a request of its own, which `/health` explains. */
async function expectFailing(url: string): Promise<void> {
  const responses = [
    await send(url),
    await call(url, "GET", "/api/v1/me"),
    await call(url, "GET", "/api/v1/newsletter/lists"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
  const ids = responses.map(({ body }) => body.error.request_id);
  expect(new Set(ids).size).toBe(3);
  for (const path of ["/health", "/sandbox/health", "/health", "/sandbox/health"]) {
    const health = await fetch(url + path);
    expect(health.status).toBe(503);
    expect(await health.json()).toEqual({
      status: "failing",
      problem: expect.stringMatching(/disk/),
    });
  }
}

/** Fills the disk of a folder with a file. */
function fill(file: string): void {
  const open = openSync(file, "w");
  for (const size of [65_536, 512, 1]) {
    try {
      for (;;) writeSync(open, Buffer.alloc(size));
    } catch {}
  }
  closeSync(open);
}

/** A disk of two megabytes; undefined without the right to create one. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    console.warn("No disk could be mounted: a full one is only simulated, by a limit on the size of files.");
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

test("started without space: 500 for every request, one line in the log, and exit code 0", async () => {
  const data = await used(temporaryFolder());
  const [sandbox, url] = await started(runWithoutSpace(...flags(data)));
  await expectFailing(url);
  expect(await sandbox.end("SIGTERM")).toBe(0);
  expect(sandbox.errors()).toMatch(/^error: the store failed: [^\n]*disk[^\n]*\n$/);
  const [, again] = await started(runSandbox(...flags(data)));
  expect((await send(again)).status).toBe(202);
});

test("started on a full disk: the same, and it recovers once there is space", async ({ skip }) => {
  const disk = smallDisk();
  if (disk === undefined) return skip();
  const data = await used(join(disk, "data"));
  fill(join(disk, "filler"));
  const [sandbox, url] = await started(runSandbox(...flags(data)));
  await expectFailing(url);
  // After the attempt to prepare the file of the next reset.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(readdirSync(data).filter((name) => name.includes("generation"))).toEqual([]);
  expect(sandbox.errors()).toMatch(/^error: the store failed: database or disk is full[^\n]*\n$/);
  rmSync(join(disk, "filler"));
  expect((await send(url)).status).toBe(202);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(await sandbox.end("SIGTERM")).toBe(0);
});

test("a disk that becomes full ends neither the process nor what was confirmed", async ({ skip }) => {
  const disk = smallDisk();
  if (disk === undefined) return skip();
  const data = join(disk, "data");
  const [sandbox, url] = await started(runSandbox(...flags(data)));
  const { body } = await send(url);
  fill(join(disk, "filler"));
  // The checkpoint of an idle sandbox fails too.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const big = { ...mail(), text: "x".repeat(1_000_000) };
  expect((await call(url, "POST", "/api/v1/emails", big)).status).toBe(500);
  expect(await sandbox.end("SIGTERM")).toBe(0);
  rmSync(join(disk, "filler"));
  const [, again] = await started(runSandbox(...flags(data)));
  expect((await call(again, "GET", `/api/v1/emails/${body.id}`)).status).toBe(200);
});

test("a malformed request without space gets its response", async () => {
  const data = await used(temporaryFolder());
  const [, url] = await started(runWithoutSpace(...flags(data)));
  const { exchange, parse } = await import("../http/raw.ts");
  expect(parse(await exchange(url, "NONSENSE\r\n\r\n"))?.status).toBe(422);
  expect((await fetch(`${url}/health`)).status).toBe(503);
});

test("a new folder without space is rejected, with what to do", async () => {
  const sandbox = runWithoutSpace(...flags(join(temporaryFolder(), "new")));
  running.push(sandbox);
  expect(await sandbox.ended).toBe(2);
  expect(sandbox.errors()).toMatch(
    /^error: .*sandbox\.db cannot be opened: .*disk.*\nhint: {2}Free some space/,
  );
});

test("the file of the data is as long as before", async () => {
  const data = await used(temporaryFolder());
  const file = join(data, "sandbox.db");
  const before = readFileSync(file);
  const [sandbox, url] = await started(runWithoutSpace(...flags(data)));
  await expectFailing(url);
  await sandbox.end("SIGTERM");
  expect(statSync(file).size).toBe(before.length);
});
