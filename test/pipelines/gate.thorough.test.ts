import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, type TestContext, test } from "vitest";
import { stringify } from "yaml";
import { variableOf } from "../../contract/config/load.ts";
import { roles } from "../../contract/engine/settings.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { keysOfDemo, testedSandbox } from "../../scripts/contract/targets.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { drops, type Fault, faultyServer, hangs, lacks } from "./faulty-server.ts";
import { type Job, runAction, runGitlab } from "./jobs.ts";

const folder = temporaryFolder(afterAll);

const keys = keysOfDemo();
const variables = Object.fromEntries(roles.map((role) => [variableOf(role), keys[role] ?? ""]));
const demo = JSON.parse(await readFile(join(root, "scripts/contract/sandbox.config.json"), "utf8")) as object;

/** For requests that never get a response. */
const impatient = { deadlines: { response: 1 } };

let configurations = 0;
/** The options for a new server with a fault, whose configuration has more settings. */
async function optionsFor(
  onTestFinished: TestContext["onTestFinished"],
  fault: Fault,
  settings: object = {},
  renamed?: string,
): Promise<string> {
  const sandbox = await startSandbox(testedSandbox());
  const { url, close } = await faultyServer(sandbox, fault, renamed);
  onTestFinished(async () => {
    close();
    await sandbox.close();
  });
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

const run = (words: string, inputs: Record<string, string> = {}) =>
  runAction(folder, { arguments: words, ...inputs }, variables);

/** The same as a job of GitLab. How it ends with each exit code of the command: gitlab.thorough.test.ts. */
const runOnGitlab = (words: string): Promise<Job> =>
  runGitlab(folder, { command: "contract $WORDS" }, { ...variables, WORDS: words });

/** The log without the line breaks of the terminal. */
const lineOf = ({ log }: Job): string => log.replaceAll(/\s+/g, " ");

// Each waits most of the time for a server that does not respond, and has a server of its own.
describe.concurrent("a job fails with a server that", { timeout: 240_000 }, () => {
  test("hangs", async ({ onTestFinished }) => {
    const options = await optionsFor(onTestFinished, hangs("POST /api/v1/emails/batch"), impatient);
    const job = await run(`${options} --grep BATCH-`);
    expect(job.code).toBe(1);
    expect(lineOf(job)).toMatch(
      /Exit code 1: (\d+ requirements? fails?, )?\d+ requirements end in an error\. POST \/api\/v1\/emails\/batch never responded \((\d+) of \2 tries, 1 s\)\./,
    );
    expect(job.log).toMatch(
      /::error title=Errors::No response to POST \/api\/v1\/emails\/batch: it took longer/,
    );
    expect(job.summary).toContain("/api/v1/emails/batch never responded");
    // An id that only responses show ends in the same error.
    const shown = await run(`${options} --profile core --grep HEAD-1`);
    expect(lineOf(shown)).toMatch(/Exit code 1: 1 requirement ends in an error\. POST .* never responded/);
    // Further requests would only wait.
    expect(Number(/never responded \((\d+) of/.exec(lineOf(job))?.[1])).toBeLessThan(20);
  });

  test("hangs in what is requested before the run", async ({ onTestFinished }) => {
    const options = await optionsFor(onTestFinished, hangs("GET /api/v1/me"), impatient);
    const job = await run(`${options} --grep LIST-1`);
    expect(job.code).toBe(0);
    expect(lineOf(job)).not.toContain("never responded");
    expect((await run(`${options} --grep ME-`)).code).toBe(1);
  });

  test("drops connections", async ({ onTestFinished }) => {
    const options = await optionsFor(onTestFinished, drops("GET /api/v1/newsletter/contacts"));
    const job = await run(`${options} --grep MEMB-`);
    expect(job.code).toBe(1);
    expect(lineOf(job)).toMatch(/GET \/api\/v1\/newsletter\/contacts\/\{email\} never responded/);
  });

  test("drops all connections: nothing could be reached", async ({ onTestFinished }) => {
    const options = await optionsFor(onTestFinished, drops(""));
    expect((await run(options)).code).toBe(2);
    expect((await runOnGitlab(options)).code).toBe(2);
  });

  test("has an expired expected failure, whether it fails or not", async ({ onTestFinished }) => {
    const entry = { id: "IDEM-2", owner: "mail team", until: "2026-01-31" };
    const words = `--grep IDEM-2 ${await listOf("expired.yaml", [entry])}`;
    const job = await run(`${await optionsFor(onTestFinished, () => false)} ${words}`);
    expect(job.code).toBe(1);
    expect(lineOf(job)).toContain("1 expected failure has expired");
    expect(job.log).toMatch(
      /::error title=Expired expected failures.*::mail team; until 2026-01-31%0AIDEM-2/,
    );
    const failing = await optionsFor(onTestFinished, lacks("POST /api/v1/emails"));
    expect((await run(`${failing} ${words}`)).code).toBe(1);
  });

  test("cannot be verified, unless that is allowed", async ({ onTestFinished }) => {
    const options = `${await optionsFor(onTestFinished, () => false, { keys: {} })} --grep AUTH-14`;
    const without = { ...variables, CONTRACT_KEY_REVOKED: "" };
    for (const [isAllowed, code] of [
      ["false", 3],
      ["true", 0],
    ] as const) {
      const inputs = { arguments: options, "allow-not-verified": isAllowed };
      expect((await runAction(folder, inputs, without)).code).toBe(code);
    }
  });

  test("cannot be reset afterwards", async ({ onTestFinished }) => {
    const { hooks } = demo as { hooks: object };
    const broken = { hooks: { ...hooks, reset: { url: "/sandbox/nothing" } } };
    const options = await optionsFor(onTestFinished, () => false, broken);
    const job = await run(`${options} --profile full --grep AUTH-7`);
    expect(job.code).toBe(1);
    expect(lineOf(job)).toContain("Exit code 1: the hook reset failed.");
  });
});

describe.concurrent("a server that misses two operations", { timeout: 240_000 }, () => {
  const missing = lacks("POST /api/v1/emails/batch", "GET /api/v1/newsletter/contacts/");
  const header = "x-service-request-id";
  // What is about a configuration, a list and a baseline is the same in every profile.
  const core = { profile: "core" };

  test("passes as configured: every report names them", async ({ onTestFinished }) => {
    const configured = { ...core, notImplemented: ["sendBatch", "getContact"] };
    const job = await run(await optionsFor(onTestFinished, missing, configured));
    expect(job.log).toContain("Exit code 0");
    expect(job.code).toBe(0);
    expect(lineOf(job)).toContain("not implemented: sendBatch and getContact");
    expect(job.summary).toContain("not implemented: sendBatch and getContact");
  });

  test("fails without a word about them; a list or a baseline of that run excuses just that", async ({
    onTestFinished,
  }) => {
    const list = join(folder, "written.yaml");
    const reports = join(folder, "base");
    const first = await run(`${await optionsFor(onTestFinished, missing, core)} --write-expected ${list}`, {
      reports,
    });
    expect(first.code).toBe(1);
    const listed = `--expected-failures ${list}`;
    const compared = `--baseline ${join(reports, "report.json")}`;
    const own = await optionsFor(onTestFinished, missing, core);
    expect((await runOnGitlab(`${own} ${listed}`)).code).toBe(0);
    expect((await run(`${own} ${compared}`)).code).toBe(0);
    const renamed = await optionsFor(onTestFinished, missing, core, header);
    const more = await run(`${renamed} ${listed}`);
    expect(more.code).toBe(1);
    expect(more.log).toMatch(/::error title=HEAD-1 /);
    const worse = await runOnGitlab(`${renamed} ${compared}`);
    expect(worse.code).toBe(1);
    expect(lineOf(worse)).toMatch(/new failures? compared with/);
  });
});
