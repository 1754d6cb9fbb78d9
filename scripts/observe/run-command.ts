import { styleText } from "node:util";
import { setFlagsFromString } from "node:v8";
import { type ExpectedFailure, loadExpected, loadSettings, newRunId } from "../../contract/config/load.ts";
import { Coverage } from "../../contract/observe/coverage.ts";
import { observeResult } from "../../contract/observe/observe-result.ts";
import { Observer } from "../../contract/observe/observer.ts";
import { type Baseline, withBaseline } from "../../contract/report/baseline.ts";
import { consoleText } from "../../contract/report/console.ts";
import { isBelowThreshold } from "../../contract/report/counts.ts";
import { readBaseline } from "../../contract/report/json.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { assertWritable } from "../../contract/report/write.ts";
import { inShort } from "../../contract/text.ts";
import { count, urlProblem, wrapped } from "../../lib/text.ts";
import { type ListenOptions, type UserError, usageError } from "../../lib/user-error.ts";
import type { RunOptions } from "../contract/options.ts";
import { printResult } from "../contract/output.ts";
import { readTraffic } from "./read-traffic.ts";
import { Traffic } from "./traffic.ts";

export interface ObserveCommandOptions extends Omit<RunOptions, "har" | "grep" | "dryRun">, ListenOptions {
  har?: string[];
  ndjson?: string[];
  upstream?: string;
  record?: string;
  baseUrl?: string;
  config?: string;
  allTraffic?: boolean;
  showBodies?: boolean;
  coverage?: boolean;
  /** In percent; asks for the coverage, too. */
  coverageThreshold?: number;
}

/**
 * The command `observe`: compares recorded traffic, or traffic that passes through, with the contract.
 * @returns the exit code: 0 no requirement fails, 1 one fails
 * @throws UserError with exit code 2 if the options are invalid, a file cannot be read, or there is no traffic
 */
export async function runObserveCommand(options: ObserveCommandOptions): Promise<number> {
  assertCompatible(options);
  limitHeap();
  const { upstream, needs, coverageThreshold } = options;
  const { har: _, coverage: isAsked = (needs ?? coverageThreshold) !== undefined, ...others } = options;
  await assertWritable(others);
  const baseline = readBaseline(options.baseline, false);
  const { observer, keys, ...compared } = await observerOf(options);
  const coverage = isAsked ? new Coverage() : undefined;
  const traffic = new Traffic(observer, urlOf(upstream ?? options.baseUrl), coverage);
  let problem: { reason: string; hint?: string } | undefined;
  if (upstream !== undefined) {
    const { observeUpstream } = await import("./observe-upstream.ts");
    problem = await observeUpstream({ ...options, upstream, keys }, traffic);
  } else for await (const exchange of readTraffic(options)) traffic.add(exchange);
  observer.end();
  const { exchanges, unanswered } = observer.counts;
  if (exchanges === 0) throw withoutTraffic(traffic);
  if (unanswered === exchanges) throw withoutResponses(observer, problem);
  const result = resultOf(observer, traffic, options, { ...compared, baseline, coverage });
  return printResult(result, others, undefined, (shown) =>
    [consoleText(shown), ...trafficLines(shown, traffic.ignoredAs, observer.incompleteAs)].join("\n"),
  );
}

/** @throws UserError with exit code 2 if options are missing or exclude each other */
function assertCompatible(options: ObserveCommandOptions): void {
  const { har = [], ndjson = [], upstream, record, allTraffic, config } = options;
  const hasFiles = har.length + ndjson.length > 0;
  if (!hasFiles && upstream === undefined && process.stdin.isTTY === true)
    throw usageError(
      "the traffic is missing",
      "Give files with --har or --ndjson, lines on standard input, or a server with --upstream.",
    );
  if (hasFiles && upstream !== undefined)
    throw usageError(
      "--upstream cannot be combined with --har or --ndjson",
      "Observe the server, or compare the files.",
    );
  if (record !== undefined && upstream === undefined)
    throw usageError("--record needs --upstream", "Only the traffic of the proxy is recorded.");
  if (allTraffic === true && config === undefined)
    throw usageError("--all-traffic needs --config", "The configuration says which keys share an account.");
}

/** The error of traffic that shows nothing of the server: without it, a run that was set up wrongly would pass. */
function withoutTraffic({ baseUrl, ignored, ignoredAs }: Traffic): UserError {
  const others = ignored === 0 ? "" : ` ${count(ignored, "exchange")} ignored: ${reasonsOf(ignoredAs)}.`;
  return usageError(
    `the traffic has no request below /api/v1${baseUrl && ` with ${baseUrl}`}`,
    `Check the URL that the requests are sent to.${others}`,
  );
}

/** The error of traffic with a server that never responded: nothing was compared. */
function withoutResponses({ counts, attempts }: Observer, problem?: { reason: string; hint?: string }) {
  const known = attempts.unanswered().map(({ request, reason }) => `${request} (${reason})`);
  const reason = problem?.reason ?? inShort(known, 3);
  return usageError(
    `none of ${count(counts.exchanges, "request")} got a response of the server${reason && `: ${reason}`}`,
    problem?.hint ?? "Check that the server runs, and the URL that requests are sent to.",
  );
}

/** The observer, with what the configuration says, if one is given. */
async function observerOf(options: ObserveCommandOptions) {
  const { config, baseUrl, upstream, allTraffic = false, expectedFailures } = options;
  const url = upstream ?? baseUrl ?? "http://localhost";
  const settings =
    config === undefined ? undefined : await loadSettings({ env: process.env, file: config, baseUrl: url });
  const expected = await loadExpected(expectedFailures ?? settings?.expectedFailures);
  const { keys = {}, implementation, notImplemented = [] } = settings ?? {};
  return {
    observer: new Observer({ ...settings, isAllTraffic: allTraffic }),
    keys,
    expected,
    about: {
      ...(implementation && { implementation }),
      ...(notImplemented.length > 0 && { notImplemented: [...notImplemented] }),
    },
  };
}

/** A URL without a slash at the end. @throws UserError with exit code 2 if it is not one of http */
function urlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const problem = urlProblem(text);
  if (problem === undefined) return new URL(text).href.replace(/\/+$/, "");
  throw usageError(
    `the URL of the server ${problem}`,
    "Give a URL such as https://staging.example.com, without /api/v1.",
  );
}

interface Compared {
  expected: readonly ExpectedFailure[];
  baseline?: Baseline | undefined;
  coverage?: Coverage | undefined;
  /** What the configuration says of the server. */
  about?: Pick<ContractResult, "implementation" | "notImplemented">;
}

export function resultOf(
  observer: Observer,
  traffic: Traffic,
  { config, allTraffic = false, showBodies = false, coverageThreshold }: Partial<ObserveCommandOptions>,
  { expected, baseline, coverage, about }: Compared,
): ContractResult {
  const { configuredKeys, ...counts } = observer.counts;
  const observed = observeResult(observer, {
    showsBodies: showBodies,
    expected,
    baseUrl: traffic.baseUrl || "/",
    ...about,
    traffic: {
      ...counts,
      ...(config !== undefined && { configuredKeys }),
      ignored: traffic.ignored,
      isAllTraffic: allTraffic,
    },
    profile: "full",
    runId: newRunId(),
    ...traffic.period,
    waitedMilliseconds: 0,
    requests: counts.exchanges,
  });
  const result = baseline === undefined ? observed : withBaseline(observed, baseline);
  if (coverage === undefined) return result;
  const covered = { ...result, coverage: coverage.result(result.requirements, coverageThreshold) };
  return isBelowThreshold(covered) ? { ...covered, exitCode: 1 } : covered;
}

/** Why exchanges and entries were ignored, or are incomplete, and how often. */
const reasonsOf = (reasons: ReadonlyMap<string, number>): string =>
  [...reasons].map(([of, times]) => `${of} (${times})`).join(", ");

const noConfiguredKey =
  "The traffic has none of the configuration's keys: nothing is known of their accounts and abilities. Keys come from the environment.";

/** What the traffic was, and what limits the verdicts. */
function trafficLines(
  { traffic, counts, unanswered: requests = [] }: ContractResult,
  ignoredAs: Traffic["ignoredAs"],
  incompleteAs: Observer["incompleteAs"],
): string[] {
  if (traffic === undefined) return [];
  // Beside errors, the line with the exit code names them.
  const named = counts.error > 0 ? [] : requests;
  const silent = named.map(({ request, unanswered }) => `${request} (${unanswered})`).join(", ");
  const { exchanges, ignored, unanswered, incomplete, concurrent, late, keys, configuredKeys } = traffic;
  const { undocumented = 0 } = traffic;
  const parts = [
    `${count(exchanges, "exchange")} with ${count(keys, "key")}`,
    ignored > 0 && `${ignored} ignored: ${reasonsOf(ignoredAs)}`,
    undocumented > 0 &&
      `${count(undocumented, "request")} to paths below /api/v1 that the document does not have`,
    unanswered > 0 && `${unanswered} without a response of the server${silent && `: ${silent}`}`,
    incomplete > 0 && `${incomplete} incomplete: the record lacks ${reasonsOf(incompleteAs)}`,
    concurrent > 0 && `${concurrent} at the same time as others about the same`,
  ];
  return [
    wrapped(`${parts.filter(Boolean).join("; ")}.`),
    keys === 0 && "The traffic has no API keys: only single exchanges have verdicts.",
    keys > 0 && configuredKeys === 0 && styleText("yellow", wrapped(noConfiguredKey)),
    late > 0 &&
      wrapped(`${count(late, "exchange")} too far out of order: only single exchanges have verdicts.`),
  ].filter((line) => line !== false);
}

/**
 * Keeps the heap near the size of what is in use, for a process that holds much and creates little else: the young generation stays small, and
 * the old one is collected once it has doubled. A flag of the process would not be set in an installed command.
 */
function limitHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=100");
}
