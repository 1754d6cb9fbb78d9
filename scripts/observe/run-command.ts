import { createReadStream, existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { count } from "../../lib/count.ts";
import { UserError } from "../../lib/user-error.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { loadExpected } from "../../test/contract/config/expected.ts";
import { loadSettings } from "../../test/contract/config/load.ts";
import { Coverage } from "../../test/contract/coverage/coverage.ts";
import { Observer } from "../../test/contract/observe/observer.ts";
import { consoleText } from "../../test/contract/report/console.ts";
import type { ContractResult } from "../../test/contract/report/result.ts";
import { mustBeWritable, type ReportFiles, writeReports } from "../../test/contract/report/write.ts";
import { limitHeap } from "./limit-heap.ts";
import { readHar } from "./read-har.ts";
import { readNdjson } from "./read-ndjson.ts";
import { resultOf } from "./result-of.ts";
import { Traffic, type TrafficExchange } from "./traffic.ts";

/** The options of the command `observe`. */
export interface ObserveCommandOptions extends Omit<ReportFiles, "har"> {
  har?: string[];
  ndjson?: string[];
  upstream?: string;
  port: number;
  host: string;
  record?: string;
  baseUrl?: string;
  config?: string;
  allTraffic?: boolean;
  expectedFailures?: string;
  showBodies?: boolean;
  docs?: string;
  coverage?: boolean;
  /** In percent; asks for the coverage, too. */
  coverageThreshold?: number;
}

/**
 * The command `observe`: compares recorded traffic, or traffic that passes through, with the contract.
 *
 * @returns the exit code: 0 no requirement fails, 1 one fails
 * @throws UserError with exit code 2 if the options are invalid or a file cannot be read
 */
export async function runObserveCommand(options: ObserveCommandOptions): Promise<number> {
  const { har = [], ndjson = [], upstream } = options;
  if (har.length + ndjson.length === 0 && upstream === undefined && process.stdin.isTTY === true)
    throw new UserError("the traffic is missing", {
      hint: "Give files with --har or --ndjson, lines on standard input, or a server with --upstream.",
      exitCode: 2,
    });
  if (har.length + ndjson.length > 0 && upstream !== undefined)
    throw new UserError("--upstream cannot be combined with --har or --ndjson", { exitCode: 2 });
  limitHeap();
  const { har: _, ...files } = options;
  await mustBeWritable(files);
  const { observer, keys, expected } = await observerOf(options);
  const { coverage: isAsked = options.coverageThreshold !== undefined } = options;
  const coverage = isAsked ? new Coverage() : undefined;
  const traffic = new Traffic(observer, urlOf(options.upstream ?? options.baseUrl), coverage);
  if (upstream !== undefined) {
    const { observeUpstream } = await import("./observe-upstream.ts");
    await observeUpstream({ ...options, upstream }, traffic);
  } else for await (const exchange of recordsOf(har, ndjson)) traffic.add(exchange);
  observer.end();
  const { coverage: _asked, ...others } = options;
  const result = resultOf(observer, traffic, { ...others, keys, expected, ...(coverage && { coverage }) });
  return print(result, files);
}

async function print(result: ContractResult, files: ReportFiles): Promise<number> {
  const { traffic } = result;
  const written = await writeReports(result, files);
  console.log(consoleText(result));
  if (traffic !== undefined) {
    const { exchanges, ignored, unanswered, incomplete, concurrent, late, keys } = traffic;
    const parts = [
      `${count(exchanges, "exchange")} with ${count(keys, "key")}`,
      ...(ignored > 0 ? [`${ignored} ignored: other hosts or paths`] : []),
      ...(unanswered > 0 ? [`${unanswered} without a response of the server`] : []),
      ...(incomplete > 0 ? [`${incomplete} incomplete`] : []),
      ...(concurrent > 0 ? [`${concurrent} at the same time as others about the same`] : []),
    ];
    console.log(wrapped(`${parts.join("; ")}.`));
    if (keys === 0 && exchanges > 0)
      console.log(wrapped("The traffic has no API keys: only single exchanges have verdicts."));
    if (late > 0)
      console.log(
        wrapped(`${count(late, "exchange")} too far out of order: only single exchanges have verdicts.`),
      );
  }
  for (const file of written) console.log(`Written: ${file}`);
  return result.exitCode;
}

/** The observer, with what the configuration says, if one is given. */
async function observerOf({
  config,
  baseUrl,
  upstream,
  allTraffic = false,
  expectedFailures,
}: ObserveCommandOptions) {
  const url = upstream ?? baseUrl ?? "http://localhost";
  const settings =
    config === undefined ? undefined : await loadSettings({ env: process.env, file: config, baseUrl: url });
  const list = expectedFailures ?? settings?.expectedFailures;
  const expected = list === undefined ? [] : (await loadExpected(list)).map(({ id }) => id);
  const { keys = {}, fixtures = {}, deadlines } = settings ?? {};
  const observer = new Observer({
    keys,
    fixtures,
    isAllTraffic: allTraffic,
    ...(deadlines && { deadlines }),
  });
  return { observer, keys, expected };
}

/** A URL without a slash at the end. @throws UserError with exit code 2 if it is not one of http */
function urlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password !== "" ||
    /[?#]/.test(text)
  )
    throw new UserError(
      "the URL of the server must be an http or https URL without user, query and fragment",
      {
        hint: "Give a URL such as https://staging.example.com, without /api/v1.",
        exitCode: 2,
      },
    );
  return url.href.replace(/\/+$/, "");
}

async function* recordsOf(
  har: readonly string[],
  ndjson: readonly string[],
): AsyncGenerator<TrafficExchange> {
  for (const file of har) yield* fromFile(file, () => readHar(open(file)));
  for (const file of ndjson) yield* fromFile(file, () => readNdjson(open(file), file));
  if (har.length + ndjson.length === 0) yield* readNdjson(open("-"), "standard input");
}

async function* fromFile(
  file: string,
  read: () => AsyncGenerator<TrafficExchange>,
): AsyncGenerator<TrafficExchange> {
  if (file !== "-" && !existsSync(file))
    throw new UserError(`${file} does not exist`, {
      hint: "Give a file with recorded traffic.",
      exitCode: 2,
    });
  try {
    yield* read();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${file} cannot be read`, {
      hint: "--har reads HTTP archives (HAR 1.2), --ndjson one JSON object per line.",
      exitCode: 2,
      cause,
    });
  }
}

function open(file: string): Readable {
  return file === "-" ? process.stdin.setEncoding("utf8") : createReadStream(file, "utf8");
}
