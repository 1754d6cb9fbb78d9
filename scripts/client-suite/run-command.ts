import { randomBytes } from "node:crypto";
import { processDriver } from "../../contract/client-suite/driver/process.ts";
import { DriverError } from "../../contract/client-suite/driver/protocol.ts";
import type { Service } from "../../contract/client-suite/engine/driver-session.ts";
import {
  type ClientRunOptions,
  clientCases,
  clientRequirements,
  requirementsOfCases,
  runClient,
} from "../../contract/client-suite/run-client.ts";
import { runParity } from "../../contract/client-suite/run-parity.ts";
import { type ExpectedFailure, loadExpected, newRunId } from "../../contract/config/load.ts";
import { redactor, secretsOf } from "../../contract/engine/secrets.ts";
import { type CommonProfile, commonProfiles } from "../../contract/engine/settings.ts";
import { readBaseline } from "../../contract/report/json.ts";
import { levelsShownBy } from "../../contract/report/levels.ts";
import { summarize } from "../../contract/report/summarize.ts";
import { assertWritable } from "../../contract/report/write.ts";
import { assertSelected, nameOf, termsOf } from "../../contract/selection.ts";
import { printLine } from "../../lib/print.ts";
import { count, wrapped } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { exampleTime, type Message, type Sandbox, type Seed, startSandbox } from "../../sandbox/index.ts";
import demo from "../../sandbox/seed/demo.json" with { type: "json" };
import type { RunOptions } from "../contract/options.ts";
import { assertPublishable, printResult, progressLine } from "../contract/output.ts";

export interface ClientCommandOptions extends RunOptions {
  driver?: string;
  /** The driver of a client that it is compared with. */
  against?: string | undefined;
  profile: CommonProfile;
}

type Cases = ClientRunOptions["cases"];

/**
 * The command `client`: tests the client of a driver with a sandbox, or compares it with another one.
 * @returns the exit code: 0 every requirement passes, 1 one fails or ends in an error, 3 some are not verified
 * @throws UserError with exit code 2 if the options are invalid, or the driver does not start
 */
export async function runClientCommand(options: ClientCommandOptions): Promise<number> {
  const { profile, against, expectedFailures: list } = options;
  // Checked before the run, whose result would be lost otherwise.
  await assertWritable(options);
  const baseline = readBaseline(options.baseline, true);
  const cases = casesOf(options);
  if (options.dryRun === true) return printCases(profile, cases);
  const driver = driverOf(options.driver, "--driver");
  if (against !== undefined) driverOf(against, "--against");
  const expected = list === undefined ? [] : expectedOf(await loadExpected(list), list);
  const progress = progressLine(process.stderr);
  const onReady: ClientTest["onReady"] = ({ implementation }) =>
    assertPublishable(options, { implementation, profile }, expected, implementationHint);
  const run = { driver, against, profile, cases, expected, onReady, onProgress: progress.onProgress };
  return printResult(await testClient(run).finally(progress.end), options, baseline);
}

interface ClientTest
  extends Pick<ClientCommandOptions, "against" | "profile">,
    Pick<ClientRunOptions, "cases" | "onReady"> {
  driver: string;
  expected?: readonly ExpectedFailure[];
  /** Called after each test case. */
  onProgress: (done: number, total: number) => void;
  /** Ends the run soon, and its drivers at once. */
  signal?: AbortSignal;
}

/** Tests the client of a driver. @throws UserError with exit code 2 if the driver does not start */
export async function testClient({ driver, against, profile, expected, onProgress, ...given }: ClientTest) {
  const { cases, signal } = given;
  const startedAt = new Date();
  const total = cases.length * (against === undefined ? 1 : 2);
  const redact = redactor(secretsOf({ keys: {} }));
  let done = 0;
  const run = {
    ...given,
    startDriver: processDriver(driver, { signal }),
    startService: () => startSandboxService(redact.add),
    onOutcome: () => {
      done += 1;
      onProgress(done, total);
      return signal?.aborted !== true;
    },
  };
  const running = against === undefined ? runClient(run) : runParity(run, processDriver(against));
  const { capabilities, outcomes } = await running.catch(rejectDriver);
  const { client: name, printed: _, implementation, ...declared } = capabilities;
  const isWhole = against === undefined && cases.length === clientCases(profile).length;
  return summarize({
    information: {
      baseUrl: "http://127.0.0.1",
      ...(implementation && { implementation }),
      client: { name, driver, ...declared, ...(against !== undefined && { against }) },
      profile,
      runId: newRunId(),
      startedAt: startedAt.toISOString(),
      durationMilliseconds: Date.now() - startedAt.getTime(),
      waitedMilliseconds: 0,
      requests: outcomes.reduce((sum, { requests }) => sum + requests, 0),
    },
    outcomes,
    expected,
    redact,
    // What neither client shows is not compared.
    ...(against === undefined && { planned: requirementsOfCases(cases) }),
    scope: clientRequirements,
    levels: isWhole ? levelsShownBy(profile, clientRequirements) : [],
  });
}

const implementationHint =
  'Add it to the first line of the driver: "implementation": { "name": "postbox-client", "version": "2.3.0" }.';

/** @throws UserError if the list has a requirement that no client has */
function expectedOf(entries: readonly ExpectedFailure[], file: string): readonly ExpectedFailure[] {
  const unknown = entries.find(({ id }) => !clientRequirements.has(id));
  if (unknown === undefined) return entries;
  const hint = "Remove it: it is a requirement on servers.";
  throw usageError(`${file} has ${unknown.id}, which the client suite does not verify`, hint);
}

function driverOf(driver: string | undefined, option: string): string {
  if (driver !== undefined && driver.trim() !== "") return driver;
  const hint = `Pass the command that starts it, such as ${option} "python3 driver.py".`;
  throw usageError("the driver is missing", hint);
}

/** The test cases of a profile. @throws UserError with exit code 2 if a part of --grep selects none */
export function casesOf({ profile, grep }: Pick<ClientCommandOptions, "profile" | "grep">): Cases {
  const terms = grep === undefined ? undefined : termsOf(grep);
  if (terms)
    assertSelected(
      terms,
      profile,
      commonProfiles,
      (one, other) => clientCases(other, one).length,
      () => "The command `contract` verifies it with a server, or nothing can: `trace` says which.",
    );
  return clientCases(profile, terms);
}

function printCases(profile: CommonProfile, cases: Cases): number {
  const lines = Object.entries(Object.groupBy(cases, ({ check }) => nameOf(check))).map(([name, own = []]) =>
    wrapped(`${name} (${count(own.length, "test case")})`, "  "),
  );
  printLine([`Profile ${profile}: a dry run, nothing is started.`, ...lines].join("\n"));
  printLine(`${count(cases.length, "test case")}.`);
  return 0;
}

function rejectDriver(error: unknown): never {
  if (!(error instanceof DriverError)) throw error;
  const hint =
    "Run its command yourself, and write a first line such as the one in docs/testing-a-client.md.";
  throw usageError(`the driver does not start: ${error.message}`, hint);
}

/**
 * Starts a sandbox as the service that a client is tested with: the demo accounts at the time at which the examples of the document are
 * valid, with a new API key and without a rate limit.
 */
export async function startSandboxService(onKey = (_: string): void => {}): Promise<Service> {
  const key = `key_${randomBytes(16).toString("hex")}`;
  onKey(key);
  const seed = structuredClone(demo) as Seed;
  // The first key has all abilities.
  Object.assign(seed.accounts[0]?.keys?.[0] ?? {}, { key });
  const options = { seed, clock: { startAt: Date.parse(exampleTime) }, requestsPerMinute: 1_000_000 };
  return serviceOf(await startSandbox(options), key);
}

export const serviceOf = (sandbox: Sandbox, key: string): Service => ({
  baseUrl: sandbox.url,
  key,
  messages: async () => (await sandbox.outbox.messages()).map(withoutIdentity),
  advance: (milliseconds) => sandbox.clock.advance(milliseconds),
  reset: sandbox.reset,
  close: sandbox.close,
});

/** What makes two messages the same for their recipients. */
function withoutIdentity({ from, to, cc, bcc, tags, content }: Message): string {
  const { subject, html, text, attachments } = content;
  return JSON.stringify({ from, to, cc, bcc, tags, subject, html, text, attachments });
}
