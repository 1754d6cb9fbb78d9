import { writeFile } from "node:fs/promises";
import { startVitest } from "vitest/node";
import type { Profile } from "../test/contract/settings.ts";
import { Collector } from "./contract/reporter.ts";
import { type ContractResult, countOutcomes } from "./contract/result.ts";
import { contractText } from "./contract/text.ts";
import { Failure } from "./failure.ts";
import { startMock } from "./mock.ts";
import { root } from "./paths.ts";

export type { ContractFailure, ContractResult } from "./contract/result.ts";
export { contractText } from "./contract/text.ts";

export interface ContractOptions {
  /** Where the server is: http or https. */
  baseUrl: string;
  profile: Profile;
  /** The API key to call with. */
  key?: string;
  /** A regular expression: only checks are run whose ids and law it matches. */
  grep?: string;
  /** Called after each trial. Until all checks are read, the total still grows. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Holds a server against the document: runs the contract suite on it over HTTP, whatever the working directory.
 *
 * @throws Failure with exit status 2 when the options make no sense, the server does not answer, or nothing was run
 */
export async function runContract(options: ContractOptions): Promise<ContractResult> {
  const { profile, key = "contract-suite-key", grep, onProgress = () => {} } = options;
  const baseUrl = await reached(options.baseUrl);
  const pattern = grep === undefined ? undefined : patternOf(grep);
  const topics = await topicsById();
  const began = performance.now();
  const collector = new Collector(onProgress);
  await run({ baseUrl, key, profile }, collector, pattern);
  const durationMilliseconds = Math.round(performance.now() - began);
  if (collector.outcomes.length === 0) {
    throw new Failure(`No check matches ${grep}.`, {
      hint: "Give an id, such as SEND-9, or a word.",
      exitStatus: 2,
    });
  }
  return { baseUrl, profile, ...countOutcomes(collector.outcomes, topics), durationMilliseconds };
}

/** Vitest, told everything here, so that no configuration of this or another project changes the run. */
async function run(
  contract: { baseUrl: string; key: string; profile: Profile },
  collector: Collector,
  pattern: RegExp | undefined,
): Promise<void> {
  const { exitCode } = process;
  const vitest = await startVitest([], {
    root,
    config: false,
    include: ["test/contract/**/*.check.ts"],
    watch: false,
    reporters: [collector],
    silent: true,
    provide: { contract },
    pool: "threads",
    isolate: false,
    maxWorkers: pattern === undefined ? 2 : 1,
    maxConcurrency: 16,
    testTimeout: 30_000,
    passWithNoTests: true,
    ...(pattern === undefined ? {} : { testNamePattern: pattern }),
  });
  await vitest.close();
  // Vitest takes the whole process for its own; here the caller decides what a failure means.
  process.exitCode = exitCode;
}

async function reached(text: string): Promise<string> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure(`${text} is not the address of a server.`, {
      hint: "Give one such as http://127.0.0.1:4010, without /api/v1.",
      exitStatus: 2,
    });
  }
  await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) })
    .then((answer) => answer.body?.cancel())
    .catch((cause: unknown) => {
      throw new Failure(`${url.origin} does not answer.`, {
        hint: "Start the server, or check the address.",
        exitStatus: 2,
        cause,
      });
    });
  return url.href.replace(/\/+$/, "");
}

function patternOf(grep: string): RegExp {
  try {
    // SEND-3 is not to match SEND-30.
    return new RegExp(/\d$/.test(grep) ? `${grep}(?!\\d)` : grep);
  } catch (cause) {
    throw new Failure(`${grep} is not a regular expression.`, { exitStatus: 2, cause });
  }
}

async function topicsById(): Promise<Map<string, string>> {
  const { requirements } = await import("../generated/requirements.ts").catch((cause: unknown) => {
    throw new Failure("There is nothing to check against: generated/ is not complete.", {
      hint: "Run `npm run generate` first.",
      exitStatus: 2,
      cause,
    });
  });
  return new Map(Object.values(requirements).map(({ id, topic }) => [id, topic]));
}

/** The options of the verb `contract`. */
export interface ContractVerbOptions {
  baseUrl?: string;
  target?: "mock";
  profile?: Profile;
  grep?: string;
  json?: string;
}

/**
 * The verb `contract`: tests the server at `baseUrl`, or starts the mock and tests that. The key is read from the environment
 * (`CONTRACT_API_KEY`).
 *
 * @returns the exit status: 0 all hold, 1 a promise is broken, 2 the server could not be asked
 * @throws Failure when the options make no sense or no server answers
 */
export async function runContractVerb(options: ContractVerbOptions): Promise<number> {
  const { baseUrl, target, profile = "mock", grep, json } = options;
  if (baseUrl !== undefined && target !== undefined) {
    throw new Failure("--base-url and --target both name a server.", {
      hint: "Give one of them.",
      exitStatus: 2,
    });
  }
  const key = process.env.CONTRACT_API_KEY;
  const mock = baseUrl === undefined ? await startMock() : undefined;
  try {
    const result = await runContract({
      baseUrl: baseUrl ?? mock?.url ?? "",
      profile,
      onProgress: tellProgress,
      ...(key === undefined ? {} : { key }),
      ...(grep === undefined ? {} : { grep }),
    });
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
    console.log(contractText(result));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(result, null, 2)}\n`);
    return exitStatusOf(result);
  } finally {
    await mock?.close();
  }
}

function exitStatusOf({ failures }: ContractResult): number {
  if (failures.some(({ kind }) => kind === "broken")) return 1;
  return failures.length > 0 ? 2 : 0;
}

function tellProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} cases`);
}
