import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { packClient } from "../../client/build.ts";
import { readReport } from "../../contract/report/json.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { assertNoProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { UserError } from "../../lib/user-error.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import schema from "./client.schema.json" with { type: "json" };
import { generators } from "./generators.ts";
import {
  commandsOf,
  createWorkFolder,
  type Ended,
  execute,
  failureOf,
  type Result,
  runSteps,
  steps,
  type Tool,
  unusablePrograms,
} from "./tools.ts";

/** A client.yaml; client.schema.json describes its properties. */
interface ClientFile {
  language: string;
  generator?: string;
  name?: string;
  needs?: string[];
  versions?: Record<string, string>;
  install?: string;
  compile?: string;
  example: string;
  driver: string;
  reliable?: string;
  shown: string[];
}

/** A client of `clients/`, with the commands of its generator. */
export interface Client extends Pick<ClientFile, "language" | "example" | "driver" | "reliable" | "shown"> {
  /** The name of its folder. */
  id: string;
  /** Its folder, absolute. */
  folder: string;
  /** `oapi-codegen 2.8.2` */
  title: string;
  tool: Tool;
}

const clientsFolder = join(root, "clients");

/** @throws UserError if the file is invalid, or there is no such generator */
export function parseClient(id: string, text: string): Client {
  const file: ClientFile = parse(text);
  const subject = `clients/${id}/client.yaml`;
  const hint = "Its schema is test/clients/client.schema.json.";
  assertNoProblems(schemaProblems(schema, file), { subject, hint });
  const row = generators.find(({ name }) => name === file.generator);
  if (file.generator !== undefined && row === undefined)
    throw new UserError(`${subject} names an unknown generator (got ${JSON.stringify(file.generator)})`, {
      hint: "`npm run clients -- --help` lists them.",
    });
  const commands = Object.fromEntries(
    steps.flatMap((step) => {
      const command = step === "read" || step === "generate" ? row?.[step] : (file[step] ?? row?.[step]);
      return command === undefined ? [] : [[step, command]];
    }),
  );
  const versions = { ...row?.versions, ...file.versions };
  const needs = [...(row?.needs ?? []), ...(file.needs ?? [])];
  const { language, example, driver, reliable, shown } = file;
  return {
    ...{ id, language, example, driver, shown, folder: join(clientsFolder, id) },
    ...(reliable === undefined ? {} : { reliable }),
    title: row === undefined ? (file.name ?? id) : `${row.name} ${row.version}`,
    tool: {
      ...{ name: id, version: row?.version ?? "", needs, versions, ...commands },
      ...(row?.file === undefined ? {} : { file: row.file }),
    },
  };
}

/** The clients by the names of their folders. */
export const readClients = (): Client[] =>
  readdirSync(clientsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parseClient(name, readFileSync(join(clientsFolder, name, "client.yaml"), "utf8")))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

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

export interface ClientResult extends Result {
  verdicts?: ClientVerdicts;
  /** The report on it as it was generated. */
  report?: ContractResult;
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

/** Runs the client suite on a driver. Exit code 3: no requirement fails, but some are not verified. */
async function runSuite(driver: string, folder: string, expected: string): Promise<ContractResult> {
  const suite = `"${process.execPath}" "${join(root, "scripts/cli.ts")}" client`;
  const options = existsSync(join(folder, expected)) ? [`--expected-failures ${expected}`] : [];
  const line = [suite, '--driver "$DRIVER" --json result.json', ...options].join(" ");
  await runLine(line, folder, { env: { DRIVER: driver }, codes: [0, 3] });
  return readReport(join(folder, "result.json"));
}

function suiteResult({ client, requirements }: ContractResult): SuiteResult {
  if (client === undefined) throw new TypeError("the report is not one of a client");
  const { retries, idempotencyKeys } = client;
  const verdicts = Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
  return { retries, idempotencyKeys, verdicts };
}

async function verify({ driver, reliable, title }: Client, folder: string) {
  const report = await runSuite(driver, folder, expectedFailures.generated);
  const [, name = title, version = ""] = /^(.*) (\S+)$/.exec(title) ?? [];
  const named: ContractResult = { ...report, implementation: { name, version } };
  const generated = suiteResult(report);
  if (reliable === undefined) return { report: named, verdicts: { generated } };
  const completed = await runSuite(reliable, folder, expectedFailures.reliable);
  return { report: named, verdicts: { generated, reliable: suiteResult(completed) } };
}

/** A client that was generated and compiled; without a folder it was skipped or failed. */
export interface BuiltClient {
  client: Client;
  result: Result;
  folder?: string;
}

/** Generates and compiles a client. The folder is kept if something fails. */
export async function buildClient(client: Client): Promise<BuiltClient> {
  const unusable = unusablePrograms(client.tool);
  if (unusable !== undefined) return { client, result: { outcome: "skipped", seconds: {}, ...unusable } };
  const folder = await createWorkFolder(client.id);
  // A reader downloads the file of the TypeScript client.
  if (commandsOf(client.tool).some((command) => command.includes("./email-api-client-")))
    await packClient(folder);
  await cp(client.folder, folder, { recursive: true });
  const result = await runSteps(client.tool, folder);
  return result.outcome === "failed" ? { client, result } : { client, result, folder };
}

/** Runs the example of a client and the client suite. The folder is kept if something fails. */
export async function verifyClient({ client, result, folder }: BuiltClient): Promise<ClientResult> {
  if (folder === undefined) return result;
  try {
    await runExample(client.example, folder);
    const verified = await verify(client, folder);
    await rm(folder, { recursive: true, force: true });
    return { ...result, ...verified };
  } catch (error) {
    if (!(error instanceof FailedRun)) throw error;
    return { ...result, outcome: "failed", detail: error.message };
  }
}
