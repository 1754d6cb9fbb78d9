import { startVitest } from "vitest/node";
import type { Profile, Settings } from "../test/contract/settings.ts";
import { Collector } from "./contract/reporter.ts";
import { patternOf, reached, usableKey } from "./contract/request.ts";
import { type ContractResult, countOutcomes } from "./contract/result.ts";
import { Failure } from "./failure.ts";
import { root } from "./paths.ts";

export interface ContractOptions {
  /** Where the server is: http or https, without a user, a query or a fragment. */
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
  const { profile, grep, onProgress = () => {} } = options;
  const key = usableKey(options.key ?? "contract-suite-key");
  const pattern = grep === undefined ? undefined : patternOf(grep);
  const baseUrl = await reached(options.baseUrl);
  const topics = await topicsById();
  const began = performance.now();
  const collector = new Collector(key, onProgress);
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
async function run(contract: Settings, collector: Collector, pattern: RegExp | undefined): Promise<void> {
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
    // Each worker reads the document and derives the cases once more, which does not pay for the few checks of a pattern.
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
