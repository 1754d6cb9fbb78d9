import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { childEnvironment } from "../../contract/engine/child-environment.ts";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { startTarget } from "../../scripts/contract/targets.ts";
import { type Interceptor, intercepted, shows } from "../mutants/mutant.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Outcome, runHere } from "./run-here.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A real server in front of the sandbox, which ends with the test. */
async function listening(between: Interceptor): Promise<string> {
  const fetch = intercepted((url, init) => sandbox.fetch(url, init), between);
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const { method = "GET", url = "/" } = request;
    const fetched = await fetch(`http://sandbox${url}`, { method, headers });
    response.writeHead(fetched.status, Object.fromEntries(fetched.headers)).end(await fetched.text());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const withoutRequestId = shows("HEAD-1", "", (response) => {
  const { "x-service-request-id": _, ...headers } = response.headers;
  return { ...response, headers };
});

test("a run begins no further test case once it is told to stop", async () => {
  const { settings, close } = await startTarget("sandbox", { profile: "full" });
  let outcomes = 0;
  const onOutcome = (): boolean => {
    outcomes += 1;
    return false;
  };
  await runContract({ settings, grep: /SEND-/, onOutcome }).finally(close);
  // Those that had begun go on.
  expect(outcomes).toBeGreaterThan(0);
  expect(outcomes).toBeLessThan(60);
});

describe("the command `contract`", { timeout: 120_000 }, () => {
  /** As a real process, from a folder that is not the project's. */
  async function asProcess(...words: string[]): Promise<Outcome> {
    const { CI: _, ...env } = process.env;
    const child = spawn(process.execPath, [join(root, "scripts/cli.ts"), ...words], { cwd: tmpdir(), env });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
    const status = await new Promise<number>((resolve) => child.once("close", resolve));
    return { status, out, err };
  }

  test("starts the sandbox by default, runs by itself from any folder: exit code 0", async () => {
    const file = join(temporaryFolder(), "result.json");
    const { status, out, err } = await asProcess("contract", "--grep", "IDEM-2", "--json", file);
    expect(err).toBe("");
    expect(status).toBe(0);
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const result: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(result).toMatchObject({ profile: "full", counts: { fail: 0, error: 0, notVerified: 0 } });
  });

  test("does not test the sandbox in a pipeline unless it is told to: exit code 2", async () => {
    vi.stubEnv("CI", "true");
    const { status, err } = await runHere("contract", "--grep", "IDEM-2");
    expect(status).toBe(2);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "Give --base-url URL or --config FILE, or --target sandbox.",
    );
    expect((await runHere("contract", "--grep", "IDEM-2", "--target", "sandbox")).status).toBe(0);
  });

  test("starts the mock with --target mock", async () => {
    const { status, err } = await runHere("contract", "--target", "mock", "--grep", "SEND-9");
    expect(err).toBe("");
    expect(status).toBe(0);
  });

  test("a failed requirement: exit code 1, its id, at most 80 columns", async () => {
    const url = await listening(withoutRequestId.intercept({} as never));
    vi.stubEnv("CONTRACT_API_KEY", sandbox.keys["all abilities"]);
    const { status, out } = await runHere("contract", "--base-url", url, "--grep", "LIST-1");
    expect(status).toBe(1);
    expect(out).toContain("HEAD-1");
    expect(out).not.toContain(sandbox.keys["all abilities"]);
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("one key that cannot verify everything: exit code 3 and the missing fixtures", async () => {
    vi.stubEnv("CONTRACT_API_KEY", sandbox.keys["all abilities"]);
    const { status, out } = await runHere("contract", "--base-url", sandbox.url, "--grep", "AUTH-14|LIST-1");
    expect(out).toContain("keys.revoked");
    expect(status).toBe(3);
  });

  test.each([
    ["a base URL without a scheme", ["--base-url", "localhost:4010"]],
    ["a base URL with a password", ["--base-url", "http://ada:canary@127.0.0.1"]],
    ["a base URL without a server", ["--base-url", "http://127.0.0.1:1"]],
    ["two servers", ["--base-url", "http://127.0.0.1:1", "--target", "mock"]],
    ["an invalid pattern", ["--grep", "("]],
    ["a pattern that nothing matches", ["--grep", "SEND-999"]],
    ["a missing configuration file", ["--config", "/nowhere/contract.yaml"]],
    ["a report that cannot be written", ["--json", "/dev/null/result.json"]],
    ["an unknown profile", ["--profile", "most"]],
    ["a seed in a profile without sequences", ["--profile", "core", "--seed", "7"]],
    ["a number of sequences with a requirement", ["--grep", "SEND-9", "--sequences", "7"]],
  ])("%s: exit code 2 and a hint", async (_, words) => {
    const { status, out, err } = await runHere("contract", ...words);
    expect(status).toBe(2);
    expect(out).toBe("");
    expect(err).not.toBe("");
    expect(err).not.toContain("canary");
    expect(err).not.toMatch(/^ +at /m);
  });

  test("no API key: exit code 2", async () => {
    const { status, err } = await runHere("contract", "--base-url", sandbox.url);
    expect(status).toBe(2);
    expect(err).toContain("CONTRACT_API_KEY");
  });
});

test("a run prints nothing and does not set the exit code", async () => {
  const { settings, close } = await startTarget("sandbox");
  const out = vi.spyOn(process.stdout, "write");
  const err = vi.spyOn(process.stderr, "write");
  const { exitCode } = process;
  const told: number[] = [];
  const { counts } = await runContract({
    settings,
    grep: /LIST-1(?!\d)/,
    onProgress: (done) => told.push(done),
  });
  await close();
  expect([...out.mock.calls, ...err.mock.calls]).toEqual([]);
  expect(process.exitCode).toBe(exitCode);
  expect(counts.pass).toBeGreaterThan(0);
  expect(told.at(-1)).toBe(told.length);
});

test("the programs that are started do not get keys", () => {
  vi.stubEnv("CONTRACT_API_KEY", "canary-0123456789");
  vi.stubEnv("CONTRACT_KEY_SEND_ONLY", "canary-0123456789");
  const environment = childEnvironment({ NO_COLOR: "1" });
  expect(JSON.stringify(environment)).not.toContain("canary");
  expect(environment).toMatchObject({ NO_COLOR: "1", PATH: process.env.PATH });
});
