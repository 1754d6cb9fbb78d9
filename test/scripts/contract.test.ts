import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Collector } from "../../scripts/contract/reporter.ts";
import type { ContractResult } from "../../scripts/contract/result.ts";
import { contractText } from "../../scripts/contract/text.ts";
import { runContractVerb } from "../../scripts/contract/verb.ts";
import { runContract } from "../../scripts/contract.ts";
import { childEnvironment } from "../../scripts/environment.ts";
import { Failure } from "../../scripts/failure.ts";
import type { Mock } from "../../scripts/mock/prism.ts";
import { startMock } from "../../scripts/mock.ts";
import { root } from "../../scripts/paths.ts";
import { lostSubject } from "./contract/faults.ts";
import { type ProxyFault, startFaulty } from "./contract/proxy.ts";
import { runOnFaulty } from "./contract/run.ts";
import { type Outcome, runHere } from "./run-here.ts";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A server with a fault, which ends with the test. */
async function faulty(fault: ProxyFault): Promise<string> {
  const server = await startFaulty(mock.url, fault);
  servers.push(server);
  return server.url;
}

/** An address where nothing listens any more. */
async function closed(): Promise<string> {
  const server = await startFaulty(mock.url, {});
  server.close();
  return server.url;
}

const runOn = (fault: ProxyFault, options: { grep?: string; key?: string }): Promise<ContractResult> =>
  runOnFaulty(mock.url, fault, options);

/** A server that answers at its root only, so that it is known to be there. */
const cutting: ProxyFault = { after: (_, { path }) => (path === "/" ? undefined : "cut") };

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
    for (const { reason } of result.skipped) expect(reason).toMatch(/^The server /);
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

describe("the key is in no message, even when the server tells it:", () => {
  /** Tells the key in headers, in JSON, as a name, in a field that a law reads, and in a text that is no JSON. */
  const echo: ProxyFault = {
    after: (given, { headers, method }) => {
      const key = String(headers.authorization);
      given.headers["x-key"] = `${"-".repeat(150)} ${key}`;
      const told = { error: { type: key, [key]: "x".repeat(60) + key }, subject: [key], id: key };
      given.text = method === "GET" ? JSON.stringify(told) : `${"-".repeat(550)} ${key}`;
    },
  };

  test.each([21, 90, 300])("a key of %i characters", async (length) => {
    const key = "canary-0123456789-abcdefghijk".repeat(11).slice(0, length);
    const result = await runOn(echo, { grep: "LOOK-5|LOOK-1|ERR-16|SEND-31", key });
    const told = JSON.stringify(result) + contractText(result).replaceAll(/\n */g, "");
    expect(result.failed).toBeGreaterThan(0);
    expect(result.failures.map(({ message }) => message).join()).toContain("authorization: Bearer ***");
    for (let start = 0; start + 12 <= key.length; start += 1)
      expect(told).not.toContain(key.slice(start, start + 12));
  });

  test("not in a complaint of the suite itself either", () => {
    const collector = new Collector("canary-0123456789", () => {});
    const error = { message: "no", stack: "Error: Bearer canary-0123456789 is no header\n  at call.ts" };
    collector.onTestRunEnd([], [error]);
    expect(collector.outcomes[0]?.failure?.message).toBe("Error: Bearer *** is no header\n  at call.ts");
  });
});

test("the programs that are started do not get the key", () => {
  vi.stubEnv("CONTRACT_API_KEY", "canary-0123456789");
  const environment = childEnvironment({ NO_COLOR: "1" });
  expect(environment).not.toHaveProperty("CONTRACT_API_KEY");
  expect(environment).toMatchObject({ NO_COLOR: "1", PATH: process.env.PATH });
});

test("nothing is written but by the caller", async () => {
  const out = vi.spyOn(process.stdout, "write");
  const err = vi.spyOn(process.stderr, "write");
  const { exitCode } = process;
  await runOn({ after: (given) => Object.assign(given, { status: 200 }) }, { grep: "SEND-30" });
  expect([...out.mock.calls, ...err.mock.calls]).toEqual([]);
  expect(process.exitCode).toBe(exitCode);
});

test("a pattern of several ids stands for these alone", async () => {
  const { byTopic, passed } = await runContract({ baseUrl: mock.url, profile: "mock", grep: "LOOK-2|ERR-1" });
  expect(byTopic.map(({ topic, laws }) => [topic, laws])).toEqual([
    ["lookup", 1],
    ["errors", 3],
  ]);
  expect(passed).toBeGreaterThan(0);
});

describe("what makes no sense is said before anything is run:", () => {
  const failureOf = (options: { baseUrl?: string; grep?: string; key?: string }): Promise<unknown> =>
    runContract({ baseUrl: mock.url, profile: "mock", ...options }).catch((error: unknown) => error);

  test.each([
    [
      "an address that is none",
      { baseUrl: "localhost:4010" },
      "localhost:4010 is not the address of a server.",
    ],
    [
      "an address with a password",
      { baseUrl: "http://ada:canary@127.0.0.1" },
      "The address of the server has a user or a password in it.",
    ],
    [
      "an address with a query",
      { baseUrl: "http://127.0.0.1/?a=b" },
      "The address of the server has a query or a fragment.",
    ],
    [
      "an address with a fragment",
      { baseUrl: "http://127.0.0.1/#a" },
      "The address of the server has a query or a fragment.",
    ],
    ["no key at all", { key: "" }, "The API key is empty."],
    [
      "a key with a line break",
      { key: "canary\n0123456789" },
      "The API key has characters that a header cannot hold.",
    ],
    ["a pattern that is none", { grep: "(" }, "( is not a regular expression."],
    ["a pattern that nothing matches", { grep: "SEND-999" }, "No check matches SEND-999."],
  ])("%s", async (_, options, message) => {
    const failure = await failureOf(options);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ message, exitStatus: 2 });
    expect((failure as Failure).hint).not.toContain("canary");
  });

  test("a server that is not there", async () => {
    const baseUrl = await closed();
    const failure = await failureOf({ baseUrl });
    expect(failure).toMatchObject({ message: `${baseUrl} does not answer.`, exitStatus: 2 });
  });
});

describe("the verb `contract`", () => {
  async function asProcess(...words: string[]): Promise<Outcome> {
    const child = spawn(process.execPath, [join(root, "scripts/cli.ts"), ...words], { cwd: tmpdir() });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
    const status = await new Promise<number>((resolve) => child.once("close", resolve));
    return { status, out, err };
  }

  test.each([
    ["the sandbox, unless told otherwise, from any folder", asProcess, [], "examples"],
    ["the mock", runHere, ["--target", "mock"], "mock"],
  ])("starts %s, by itself, and ends with 0", async (_name, runVerb, target, profile) => {
    const folder = await mkdtemp(join(tmpdir(), "contract-test-"));
    try {
      const file = join(folder, "result.json");
      const options = [...target, "--grep", "SEND-9", "--json", file];
      const { status, out, err } = await runVerb("contract", ...options);
      expect(err).toBe("");
      expect(status).toBe(0);
      expect(out).toMatch(/1 law, 2 cases hold/);
      const result: unknown = JSON.parse(await readFile(file, "utf8"));
      expect(result).toMatchObject({ profile, passed: 2, failed: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("ends with 1 on a broken promise, and tells it within 80 columns", async () => {
    const url = await faulty(lostSubject);
    const { status, out } = await runHere("contract", "--base-url", url, "--grep", "LOOK-5");
    expect(status).toBe(1);
    expect(out).toContain("LOOK-5 a message record has the subject");
    expect(out).toContain("found:    /subject is missing");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("ends with 2 when the server answers nothing", async () => {
    const silent = await runHere("contract", "--base-url", await faulty(cutting), "--grep", "LOOK-5");
    expect(silent.status).toBe(2);
    expect(silent.out).toContain("(no answer) LOOK-5");
  });

  test.each([
    ["one server, not two", { target: "mock" }, "--base-url and --target both name a server."],
    [
      "a file that can be written",
      { json: "/dev/null/result.json" },
      "--json cannot be written: /dev/null/result.json",
    ],
  ] as const)("takes %s", async (_, options, message) => {
    const verb = runContractVerb({ baseUrl: mock.url, ...options });
    await expect(verb).rejects.toMatchObject({ message, exitStatus: 2 });
  });
});
