import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { variableOf } from "../../contract/config/load.ts";
import { roles } from "../../contract/engine/settings.ts";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { keysOfDemo, testedSandbox } from "../../scripts/contract/targets.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { drops, type Fault, faultyServer, hangs, lacks } from "./faulty-server.ts";
import { runAction, runGitlab } from "./jobs.ts";

const folder = temporaryFolder(afterAll);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox(testedSandbox());
});
afterAll(() => sandbox.close());

const keys = keysOfDemo();
const variables = Object.fromEntries(roles.map((role) => [variableOf(role), keys[role] ?? ""]));
const demo = JSON.parse(await readFile(join(root, "scripts/contract/sandbox.config.json"), "utf8")) as object;

/** For requests that never get a response. */
const impatient = { deadlines: { response: 1 } };

let configurations = 0;
/** The options for a server with a fault, whose configuration has more settings. */
async function optionsFor(fault: Fault, settings: object = {}, renamed?: string): Promise<string> {
  const { url, close } = await faultyServer(sandbox, fault, renamed);
  onTestFinished(close);
  configurations += 1;
  const file = join(folder, `${configurations}.config.json`);
  const { $schema: _, ...config } = demo as { $schema?: string };
  await writeFile(file, JSON.stringify({ ...config, ...settings }));
  return `--base-url ${url} --config ${file}`;
}

const listOf = async (name: string, entries: object[]): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, stringify(entries));
  return `--expected-failures ${file}`;
};

/** The exit codes of the two jobs, with the log of the action. */
async function jobsOf(words: string, inputs: Record<string, string> = {}) {
  const given = await runAction(folder, { arguments: words, ...inputs }, variables);
  const isAllowed = inputs["allow-not-verified"] === "true";
  const command = "contract $WORDS";
  const ofGitlab = { command, "allow-not-verified": isAllowed };
  const gitlab = await runGitlab(folder, ofGitlab, { ...variables, WORDS: words });
  return { codes: [given.code, gitlab.code], log: given.log.replaceAll(/\s+/g, " "), job: given };
}

const red = [1, 1];
const green = [0, 0];

describe("a job fails with a server that", { timeout: 240_000 }, () => {
  test("hangs", async () => {
    const options = await optionsFor(hangs("POST /api/v1/emails/batch"), impatient);
    const { codes, log, job } = await jobsOf(`${options} --grep BATCH-`);
    expect(codes).toEqual(red);
    expect(log).toMatch(
      /Exit code 1: (\d+ requirements? fails?, )?\d+ requirements end in an error\. POST \/api\/v1\/emails\/batch never responded \((\d+) of \2 tries, 1 s\)\./,
    );
    expect(log).toMatch(/::error title=Errors::No response to POST \/api\/v1\/emails\/batch: it took longer/);
    expect(job.summary).toContain("/api/v1/emails/batch never responded");
    // Further requests would only wait.
    expect(Number(/never responded \((\d+) of/.exec(log)?.[1])).toBeLessThan(20);
  });

  test("hangs in what is requested before the run", async () => {
    const options = await optionsFor(hangs("GET /api/v1/me"), impatient);
    const { codes, log } = await jobsOf(`${options} --grep LIST-1`);
    expect(codes).toEqual(green);
    expect(log).not.toContain("never responded");
    expect((await jobsOf(`${options} --grep ME-`)).codes).toEqual(red);
  });

  test("drops connections", async () => {
    const options = await optionsFor(drops("GET /api/v1/newsletter/contacts"));
    const { codes, log } = await jobsOf(`${options} --grep MEMB-`);
    expect(codes).toEqual(red);
    expect(log).toMatch(/GET \/api\/v1\/newsletter\/contacts\/\{email\} never responded/);
  });

  test("drops all connections: nothing could be reached", async () => {
    const { codes } = await jobsOf(await optionsFor(drops("")));
    expect(codes).toEqual([2, 2]);
  });

  test("has an expired expected failure, whether it fails or not", async () => {
    const entry = { id: "IDEM-2", owner: "mail team", until: "2026-01-31" };
    const options = `${await optionsFor(() => false)} --grep IDEM-2`;
    const { codes, log } = await jobsOf(`${options} ${await listOf("expired.yaml", [entry])}`);
    expect(codes).toEqual(red);
    expect(log).toContain("1 expected failure has expired");
    expect(log).toMatch(/::error title=Expired expected failures.*::mail team; until 2026-01-31%0AIDEM-2/);
    const failing = `${await optionsFor(lacks("POST /api/v1/emails"))} --grep IDEM-2`;
    expect((await jobsOf(`${failing} ${await listOf("expired.yaml", [entry])}`)).codes).toEqual(red);
  });

  test("cannot be verified, unless that is allowed", async () => {
    const options = `${await optionsFor(() => false, { keys: {} })} --grep AUTH-14`;
    const without = { ...variables, CONTRACT_KEY_REVOKED: "" };
    for (const [isAllowed, code] of [
      ["false", 3],
      ["true", 0],
    ] as const) {
      const inputs = { arguments: options, "allow-not-verified": isAllowed };
      expect((await runAction(folder, inputs, without)).code).toBe(code);
    }
  });

  test("cannot be reset afterwards", async () => {
    onTestFinished(
      async () => void (await sandbox.fetch("http://sandbox/sandbox/reset", { method: "POST" })),
    );
    const { hooks } = demo as { hooks: object };
    const broken = { hooks: { ...hooks, reset: { url: "/sandbox/nothing" } } };
    const { codes, log } = await jobsOf(
      `${await optionsFor(() => false, broken)} --profile full --grep AUTH-7`,
    );
    expect(codes).toEqual(red);
    expect(log).toContain("Exit code 1: the hook reset failed.");
  });
});

describe("a server that misses two operations", { timeout: 600_000 }, () => {
  const operations = ["sendBatch", "rescheduleEmail"];
  const missing = lacks("POST /api/v1/emails/batch", "PATCH /api/v1/emails/");
  const header = "x-service-request-id";

  test("passes as configured: every report names them", async () => {
    const options = await optionsFor(missing, { notImplemented: operations });
    const job = await runAction(folder, { arguments: `${options} --profile full` }, variables);
    expect(job.log).toContain("Exit code 0");
    expect(job.code).toBe(0);
    expect(job.log.replaceAll(/\s+/g, " ")).toContain("not implemented: sendBatch and rescheduleEmail");
    expect(job.summary).toContain("not implemented: sendBatch and rescheduleEmail");
  });

  const run = (words: string, inputs = {}) => runAction(folder, { arguments: words, ...inputs }, variables);

  // A list and a baseline are the same in every profile.
  const core = { profile: "core" };

  test("fails without a word about them; a list written from that run excuses just that", async () => {
    const file = join(folder, "written.yaml");
    expect((await run(`${await optionsFor(missing, core)} --write-expected ${file}`)).code).toBe(1);
    const list = `--expected-failures ${file}`;
    expect((await jobsOf(`${await optionsFor(missing, core)} ${list}`)).codes).toEqual(green);
    const renamed = await run(`${await optionsFor(missing, core, header)} ${list}`);
    expect(renamed.code).toBe(1);
    expect(renamed.log).toMatch(/::error title=HEAD-1 /);
  });

  test("fails against its own baseline with a renamed header, and passes without", async () => {
    const own = await optionsFor(missing, core);
    await run(own, { reports: join(folder, "base") });
    const given = `--baseline ${join(folder, "base", "report.json")}`;
    expect((await run(`${own} ${given}`)).code).toBe(0);
    const renamed = await jobsOf(`${await optionsFor(missing, core, header)} ${given}`);
    expect(renamed.codes).toEqual(red);
    expect(renamed.log).toMatch(/new failures? compared with/);
  });
});
