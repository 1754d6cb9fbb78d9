import { existsSync } from "node:fs";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { unusablePrograms } from "../generators/programs.ts";
import { createWorkFolder, type Ended, execute, failureOf, runSteps } from "../generators/run.ts";
import type { Client } from "./client.ts";

/** The verdict of each requirement that the client suite reports, by id. */
export type Verdicts = Record<string, string>;

/** What the client suite reports on a driver. */
export interface SuiteResult {
  /** What the driver declares: a client that does not retry is tested for that. */
  retries: boolean;
  idempotencyKeys: "automatic" | "explicit";
  verdicts: Verdicts;
}

/** The results of a client as it was generated, and with the lines of code that its README shows. */
export interface ClientVerdicts {
  generated: SuiteResult;
  reliable?: SuiteResult;
}

export interface ClientResult {
  outcome: "passed" | "failed" | "skipped";
  /** Which programs are missing or too old, or what failed. */
  detail?: string;
  /** Of a client that is skipped: whether a program is missing, and none is too old. */
  isMissing?: boolean;
  verdicts?: ClientVerdicts;
}

/** The files with the requirements that a client fails, as it was generated and with the code of its README, and the reasons. */
export const expectedFailures = {
  generated: "expected-failures.yaml",
  reliable: "expected-failures-reliable.yaml",
};

/** What every example prints at the end; `npx` may print warnings first. */
const exampleOutput =
  /^sent: msg_\w+\nstatus: (sent|delivered)\nrejected: 422 send_rejected\ncontact: subscribed\ncontact: unsubscribed$(?![\s\S])/m;

class FailedRun extends Error {}

/** Runs a shell line, which must end with one of the exit codes. */
async function runLine(
  line: string,
  folder: string,
  { env = {}, codes = [0] }: { env?: NodeJS.ProcessEnv; codes?: number[] } = {},
): Promise<Ended> {
  const ended = await execute(line, folder, env);
  if (!codes.includes(ended.code)) throw new FailedRun(failureOf(line, folder, ended));
  return ended;
}

async function runExample(line: string, folder: string): Promise<void> {
  const sandbox = await startSandbox();
  try {
    const before = await sandbox.outbox.messages();
    const env = { EMAIL_API_URL: sandbox.url, EMAIL_API_KEY: sandbox.keys["all abilities"] };
    const { output } = await runLine(line, folder, { env });
    if (!exampleOutput.test(output)) throw new FailedRun(`${line}\nprints in ${folder}:\n${output}`);
    const count = (await sandbox.outbox.messages()).length - before.length;
    if (count !== 1) throw new FailedRun(`${line}\nsends ${count} messages instead of 1`);
  } finally {
    await sandbox.close();
  }
}

/** The part of the JSON report that is read. */
interface Report {
  client: Omit<SuiteResult, "verdicts">;
  requirements: { id: string; verdict: string }[];
}

/** Runs the client suite on a driver. Exit code 3: no requirement fails, but some are not verified. */
async function runSuite(driver: string, folder: string, expected: string): Promise<SuiteResult> {
  const suite = `"${process.execPath}" "${join(root, "scripts/cli.ts")}" client`;
  const options = existsSync(join(folder, expected)) ? [`--expected-failures ${expected}`] : [];
  const line = [suite, '--driver "$DRIVER" --json result.json', ...options].join(" ");
  await runLine(line, folder, { env: { DRIVER: driver }, codes: [0, 3] });
  const report: Report = JSON.parse(await readFile(join(folder, "result.json"), "utf8"));
  const { retries, idempotencyKeys } = report.client;
  const verdicts = Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));
  return { retries, idempotencyKeys, verdicts };
}

async function verify({ driver, reliable }: Client, folder: string): Promise<ClientVerdicts> {
  const generated = await runSuite(driver, folder, expectedFailures.generated);
  if (reliable === undefined) return { generated };
  return { generated, reliable: await runSuite(reliable, folder, expectedFailures.reliable) };
}

/** Generates and compiles a client, runs its example and the client suite. The folder is kept if something fails. */
export async function runClient(client: Client): Promise<ClientResult> {
  const unusable = unusablePrograms(client.tool);
  if (unusable !== undefined) return { outcome: "skipped", ...unusable };
  const folder = await createWorkFolder(client.id);
  await cp(client.folder, folder, { recursive: true });
  const { outcome, detail } = await runSteps(client.tool, folder);
  if (outcome === "failed") return { outcome, ...(detail === undefined ? {} : { detail }) };
  try {
    await runExample(client.example, folder);
    const verdicts = await verify(client, folder);
    await rm(folder, { recursive: true, force: true });
    return { outcome: "passed", verdicts };
  } catch (error) {
    if (!(error instanceof FailedRun)) throw error;
    return { outcome: "failed", detail: error.message };
  }
}
