import type { Failure, RecordedExchange, Verdict } from "../engine/outcome.ts";
import type { Omissible, Profile, Role, Tag } from "../engine/settings.ts";

/** `expected failure`: it failed, and the list of expected failures names it. */
export type RequirementVerdict = Verdict | "expected failure";

/** A test case with its exchanges, keys redacted. */
export interface CaseResult {
  /** Empty if the check has only one case. */
  title: string;
  verdict: Verdict;
  /** Why it is not verified, or what the error is. */
  reason?: string;
  failure?: Failure;
  exchanges: RecordedExchange[];
  milliseconds: number;
}

export interface CheckResult {
  ids: string[];
  title: string;
  tags: Tag[];
  /** `pass` only if all its cases pass. */
  verdict: Verdict;
  cases: CaseResult[];
}

/** A rule that every response, or every request of a client, must meet, such as a header it must have. */
export interface ResponseCheckResult {
  ids: string[];
  title: string;
  verdict: Verdict;
  /** How many responses, or requests, it was applied to. */
  responses: number;
  failed: number;
  /** The first failures. */
  failures: { expected: string; found: string; exchange: RecordedExchange | null }[];
}

export interface RequirementResult {
  id: string;
  topic: string;
  text: string;
  verdict: RequirementVerdict;
  /** Why it is not verified, or what the error is. */
  reason?: string;
  /** Test cases and responses. */
  passed: number;
  failed: number;
}

/** A requirement outside the run: it is the client's, cannot be observed, or belongs to another profile. */
interface NotTested {
  id: string;
  topic: string;
  text: string;
  reason: string;
}

/** Numbers of requirements by verdict. */
export interface Counts {
  pass: number;
  fail: number;
  expectedFailure: number;
  notVerified: number;
  error: number;
}

/** The client that a run tested, and what its driver declares. */
interface TestedClient {
  name: string;
  /** The command of its driver. */
  driver: string;
  operations: string[];
  retries: boolean;
  idempotencyKeys: "automatic" | "explicit";
  timeouts: boolean;
  /** What its errors have besides status and type; absent: everything. */
  errors?: ("fields" | "requestId")[];
}

/** An earlier run, and the ids of requirements that differ from it. */
export interface Comparison {
  /** The file of its report. */
  file: string;
  /** Its base URL, or the name of its client. */
  of: string;
  runId: string;
  startedAt: string;
  profile: Profile;
  /** They fail, and did not fail there. */
  newFailures: string[];
  /** They fail, and failed there. */
  knownFailures: string[];
  /** They pass, and failed there. */
  fixed: string[];
  /** They pass, and neither passed nor failed there. */
  newlyVerified: string[];
  /** They neither pass nor fail, and did there. */
  noLongerVerified: string[];
}

/** Recorded traffic that was compared with the contract, in place of a run. */
interface ObservedTraffic {
  /** Requests below the version prefix, with their responses. */
  exchanges: number;
  /** Exchanges with other hosts or outside the version prefix, and preflights of browsers. */
  ignored: number;
  /** Requests below the version prefix to paths that the document does not have. */
  undocumented?: number;
  /** Exchanges with the status of a gateway, or without a response. */
  unanswered: number;
  /** Exchanges without a time, or with a part of a body only. */
  incomplete: number;
  /** Exchanges about something that another request in progress was about, too. */
  concurrent: number;
  /** Exchanges too far out of order. If there are any, only single exchanges have verdicts. */
  late: number;
  /** The number of API keys. */
  keys: number;
  /** How many of them the configuration names; absent if there is none. */
  configuredKeys?: number;
  /** Whether it has all requests to the accounts, and nobody else changes what they have. */
  isAllTraffic: boolean;
}

/** What tests exercised, of one kind. */
export interface CoverageOfKind {
  kind: string;
  /** What is counted, to be read after a number. */
  of: string;
  covered: number;
  total: number;
  /** Such as `sendEmail 402`. */
  missing: readonly string[];
}

/** What the tests whose traffic was observed exercised; `covered` and `total` are the sums of all kinds. */
export interface CoverageResult {
  covered: number;
  total: number;
  /** The least that is required, in percent. */
  threshold?: number;
  kinds: CoverageOfKind[];
}

/** The result of a run of the contract suite, which is also the JSON report. */
export interface ContractResult {
  /** Increases with each incompatible change of this object. */
  format: 1;
  tool: { name: "email-api-contract"; version: string };
  /** The server; for a client, the one that recorded its requests. */
  baseUrl: string;
  /** Absent if a server was tested. */
  client?: TestedClient;
  /** Absent if the suite sent the requests. */
  traffic?: ObservedTraffic;
  /** Absent unless it was asked for. */
  coverage?: CoverageResult;
  /** The URL of the reference site that reports link errors to. */
  docs?: string;
  profile: Profile;
  /** What the run leaves out; absent: nothing. */
  without?: Omissible[];
  runId: string;
  /** The environment variables that hold the keys; default: `CONTRACT_API_KEY`, `CONTRACT_KEY_...`. */
  keyVariables?: Partial<Record<Role, string>>;
  /** ISO 8601, in UTC. */
  startedAt: string;
  durationMilliseconds: number;
  /** Time spent waiting for the rate limit. */
  waitedMilliseconds: number;
  requests: number;
  /** The comparison with an earlier run. */
  baseline?: Comparison;
  /**
   * 0 all requirements pass or are expected failures; 1 at least one fails; 3 none fails, but some are not verified. With a baseline: 0 there is no
   * new failure; 1 there is.
   */
  exitCode: 0 | 1 | 3;
  counts: Counts;
  byTopic: ({ topic: string } & Counts)[];
  requirements: RequirementResult[];
  notTested: NotTested[];
  checks: CheckResult[];
  responseChecks: ResponseCheckResult[];
  /** What responses have in addition to the document, which is allowed; for a client, good practice that it does not follow. */
  information: string[];
  /** The ids of expected failures that pass. */
  stale: string[];
}

/** A failed test case, or a response that failed a response check. */
export interface FailedCase {
  ids: string[];
  check: string;
  /** The title of the test case; empty if the check has only one, or is a response check. */
  title: string;
  expected: string;
  found: string;
  /** The exchanges that lead to it, and it: more than one for a random sequence of requests. */
  exchanges: RecordedExchange[];
  /** The command that repeats a random sequence of requests. */
  repeat?: string;
  /** How many cases, or responses, fail the check. */
  times: number;
  /** Whether all its requirements are expected failures, or known ones of the baseline. */
  isExpected: boolean;
  isResponseCheck: boolean;
}

/** Everything that failed, test cases first. */
export function failedCases(result: ContractResult): FailedCase[] {
  const isExpected = expectedIn(result);
  const ofCases = result.checks.flatMap(({ ids, title: check, cases }) => {
    const times = cases.filter(({ verdict }) => verdict === "fail").length;
    const shared = { ids, check, times, isExpected: isExpected(ids), isResponseCheck: false };
    return cases.flatMap(({ title, failure, exchanges }): FailedCase[] => {
      if (failure === undefined) return [];
      const { expected, found } = failure;
      const shown = shownExchanges(failure, exchanges, result);
      const repeat = repeatOf(failure, check);
      return [{ ...shared, title, expected, found, exchanges: shown, ...(repeat && { repeat }) }];
    });
  });
  const ofResponses = result.responseChecks.flatMap(({ ids, title: check, failed: times, failures }) => {
    const shared = { ids, check, title: "", times, isExpected: isExpected(ids), isResponseCheck: true };
    return failures.map(({ exchange, ...failure }) => ({
      ...shared,
      ...failure,
      exchanges: exchange === null ? [] : [exchange],
    }));
  });
  return [...ofCases, ...ofResponses];
}

/** Whether a failure of these requirements is expected, or known from the baseline. */
export function expectedIn(result: ContractResult): (ids: readonly string[]) => boolean {
  const verdicts = verdictsOf(result);
  const known = new Set(result.baseline?.knownFailures);
  return (ids) => ids.every((id) => verdicts.get(id) === "expected failure" || known.has(id));
}

/** The exchange that shows a failure, after those that lead to it if they are a random sequence. */
export function shownExchanges(
  { exchange, seed }: Pick<Failure, "exchange" | "seed">,
  exchanges: readonly RecordedExchange[],
  { client, traffic }: Pick<ContractResult, "client" | "traffic">,
): RecordedExchange[] {
  // A call of a client without a request: the requests of other calls show nothing.
  if (client !== undefined && exchange === null) return [];
  const index = exchange ?? exchanges.length - 1;
  return exchanges.slice(seed === undefined && traffic === undefined ? Math.max(0, index) : 0, index + 1);
}

/**
 * The command that repeats a random sequence of requests. The options for the server are to be added.
 *
 * @param check its title
 */
export function repeatOf({ seed }: Pick<Failure, "seed">, check: string): string | undefined {
  if (seed === undefined) return undefined;
  const [, kind = "random sequences"] = /^random sequences of (\w+ requests \w+)/.exec(check) ?? [];
  // Without spaces, it needs no quotation marks, which some formats escape.
  return `npx email-api-contract contract --profile model --grep ${kind.replaceAll(" ", ".")} --seed ${seed} --sequences 1`;
}

/** The failed cases of one check. */
export type FailedCheck = readonly [FailedCase, ...FailedCase[]];

export function byCheck(failed: readonly FailedCase[]): FailedCheck[] {
  const checks = Map.groupBy(failed, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  return [...checks.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest]]));
}

/** The verdict of each tested requirement, by id. */
export const verdictsOf = ({ requirements }: ContractResult): Map<string, RequirementVerdict> =>
  new Map(requirements.map(({ id, verdict }) => [id, verdict]));

/** The text of each tested requirement, by id. */
export const textsOf = ({ requirements }: ContractResult): Map<string, string> =>
  new Map(requirements.map(({ id, text }) => [id, text]));
