import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ContractResult, contractText, runContract, runContractVerb } from "../../scripts/contract.ts";
import { Failure } from "../../scripts/failure.ts";
import { type Mock, startMock } from "../../scripts/mock.ts";
import { root } from "../../scripts/paths.ts";
import { answerFaults } from "./contract/faults.ts";
import { type Fault, startFaulty } from "./contract/proxy.ts";
import { runOnFaulty } from "./contract/run.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const runOn = (fault: Fault, options: { grep?: string; key?: string }): Promise<ContractResult> =>
  runOnFaulty(mock.url, fault, options);

/** A server that answers at its root only, so that it is known to be there. */
const cutting: Fault = { after: (_, { path }) => (path === "/" ? undefined : "cut") };

describe("on the mock", () => {
  const told: [number, number][] = [];
  let result: ContractResult;
  beforeAll(async () => {
    result = await runContract({
      baseUrl: `${mock.url}/`,
      profile: "mock",
      onProgress: (...counts) => told.push(counts),
    });
  });

  test("every check holds", () => {
    expect(result.failures).toEqual([]);
    expect(result.failed).toBe(0);
    expect(result.passed).toBeGreaterThan(1000);
  });

  test("what cannot be tried is left out with its reason", () => {
    expect(result.skipped.map(({ ids }) => ids)).toEqual([["ERR-6"], ["ERR-7", "HEAD-10"]]);
    for (const { reason } of result.skipped) expect(reason).toMatch(/^Prism /);
  });

  test("the counts by topic add up", () => {
    const sum = (name: "passed" | "laws" | "skipped") =>
      result.byTopic.reduce((total, row) => total + row[name], 0);
    expect(sum("passed")).toBe(result.passed);
    expect(sum("laws")).toBe(result.laws);
    expect(sum("skipped")).toBe(result.skipped.length);
    expect(result.byTopic.map(({ topic }) => topic)).not.toContain("other");
  });

  test("progress is told case by case, up to the last", () => {
    expect(told.map(([done]) => done)).toEqual(told.map((_, index) => index + 1));
    expect(told.at(-1)).toEqual([told.length, told.length]);
  });

  test("the report keeps to 80 columns", () => {
    expect(
      contractText(result)
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});

test("a server that cuts the connection is not said to break a promise", async () => {
  const { failures, passed } = await runOn(cutting, { grep: "LOOK-2" });
  expect(passed).toBe(0);
  expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(["unreachable"]));
  expect(failures[0]?.message).toMatch(/^No answer to GET \/api\/v1\/emails\/.*: ./);
});

test("the key is in no message, even when the server tells it", async () => {
  const key = "canary-key-0123456789";
  const echo: Fault = {
    after: (given, { headers }) => {
      given.headers["x-key"] = String(headers.authorization);
      given.text = JSON.stringify({ authorization: headers.authorization });
    },
  };
  const result = await runOn(echo, { grep: "LOOK-5|ERR-16", key });
  expect(result.failed).toBeGreaterThan(0);
  expect(JSON.stringify(result)).not.toContain(key);
  expect(contractText(result)).not.toContain(key);
  expect(contractText(result)).toContain("authorization: Bearer ***");
});

test("nothing is written but by the caller", async () => {
  const out = vi.spyOn(process.stdout, "write");
  const err = vi.spyOn(process.stderr, "write");
  const { exitCode } = process;
  await runOn({ after: (given) => Object.assign(given, { status: 200 }) }, { grep: "SEND-30" });
  expect([...out.mock.calls, ...err.mock.calls]).toEqual([]);
  expect(process.exitCode).toBe(exitCode);
  vi.restoreAllMocks();
});

describe("what makes no sense is said before anything is run:", () => {
  const failureOf = (options: { baseUrl?: string; grep?: string }): Promise<unknown> =>
    runContract({ baseUrl: mock.url, profile: "mock", ...options }).catch((error: unknown) => error);

  test.each([
    [
      "an address that is none",
      { baseUrl: "localhost:4010" },
      "localhost:4010 is not the address of a server.",
    ],
    ["a server that is not there", { baseUrl: "http://127.0.0.1:9" }, "http://127.0.0.1:9 does not answer."],
    ["a pattern that is none", { grep: "(" }, "( is not a regular expression."],
    ["a pattern that nothing matches", { grep: "SEND-999" }, "No check matches SEND-999."],
  ])("%s", async (_, options, message) => {
    const failure = await failureOf(options);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ message, exitStatus: 2 });
  });
});

describe("the verb `contract`", () => {
  async function runVerb(...options: string[]): Promise<{ status: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [join(root, "scripts/cli.ts"), "contract", ...options], {
      cwd: tmpdir(),
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
    const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { status, out, err };
  }

  test("starts the mock by itself, from any folder, and ends with 0", async () => {
    const folder = await mkdtemp(join(tmpdir(), "contract-test-"));
    const file = join(folder, "result.json");
    const { status, out, err } = await runVerb("--grep", "SEND-9", "--json", file);
    expect(err).toBe("");
    expect(status).toBe(0);
    expect(out).toMatch(/1 law, 2 cases hold/);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ profile: "mock", passed: 2, failed: 0 });
    await rm(folder, { recursive: true });
  });

  test("ends with 1 on a broken promise, and tells it within 80 columns", async () => {
    const server = await startFaulty(mock.url, answerFaults.find(({ ids }) => ids.includes("LOOK-5")) ?? {});
    const { status, out } = await runVerb("--base-url", server.url, "--grep", "LOOK-5");
    server.close();
    expect(status).toBe(1);
    expect(out).toContain("LOOK-5 a message record has the subject");
    expect(out).toContain("found:    /subject is missing");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("ends with 2 when the server answers nothing", async () => {
    const server = await startFaulty(mock.url, {
      after: (_, { path }) => (path === "/" ? undefined : "cut"),
    });
    const silent = await runVerb("--base-url", server.url, "--grep", "LOOK-5");
    server.close();
    expect(silent.status).toBe(2);
    expect(silent.out).toContain("(no answer) LOOK-5");
  });

  test("takes one server, not two", async () => {
    const both = runContractVerb({ baseUrl: mock.url, target: "mock" });
    await expect(both).rejects.toMatchObject({
      message: "--base-url and --target both name a server.",
      exitStatus: 2,
    });
  });
});
