import type {
  Report,
  ReportCase,
  ReportCheck,
  ReportCounts,
  ReportRequirement,
  ReportResponseCheck,
} from "../../generated/schema-types.ts";
import { decoded } from "../../lib/text.ts";
import type { Failure, RecordedExchange } from "../engine/outcome.ts";

/** The result of a run of the contract suite, which is also the JSON report: its schema describes each property. */
export type ContractResult = Report;
export type RequirementResult = ReportRequirement;
export type RequirementVerdict = ReportRequirement["verdict"];
export type CheckResult = ReportCheck;
export type CaseResult = ReportCase;
/** A rule that every response, or every request of a client, must meet, such as a header it must have. */
export type ResponseCheckResult = ReportResponseCheck;
/** Numbers of requirements by verdict. */
export type Counts = ReportCounts;
/** An earlier run, and the ids of requirements that differ from it. */
export type Comparison = NonNullable<Report["baseline"]>;
/** What the tests whose traffic was observed exercised. */
export type CoverageResult = NonNullable<Report["coverage"]>;
export type CoverageOfKind = CoverageResult["kinds"][number];

/** A failed test case, or a response that failed a response check. */
export interface FailedCase {
  ids: string[];
  check: string;
  /** The title of the test case; empty if the check has only one, or is a response check. */
  title: string;
  expected: string;
  found: string;
  /** What is wrong, the same text for failures with the same cause. */
  cause?: string;
  /** The exchanges of the test case before those of `exchanges`. */
  steps: RecordedExchange[];
  /** The exchanges that lead to it, and it: more than one for a random sequence of requests. */
  exchanges: RecordedExchange[];
  /** The command that repeats a random sequence of requests. */
  repeat?: string;
  /** How many cases, or responses, fail the check. */
  times: number;
  /** Whether it is expected, or known from the baseline. */
  isExpected: boolean;
  /** The test case, or the response check. */
  source: CaseResult | ResponseCheckResult;
}

/** Everything that failed, test cases first. */
export function failedCases(result: ContractResult): FailedCase[] {
  const ofCases = result.checks.flatMap(({ ids, title: check, cases }) => {
    const times = cases.filter(({ verdict }) => verdict === "fail").length;
    return cases.flatMap((source): FailedCase[] => {
      const { title, failure, exchanges, excused } = source;
      const shared = { ids, check, times, isExpected: excused !== undefined };
      if (failure === undefined) return [];
      const { exchange: index, first: _, seed: __, ...found } = failure;
      const shown = shownExchanges(failure, exchanges, result);
      const before = (index ?? exchanges.length - 1) + 1 - shown.length;
      const steps = shown.length === 0 ? [] : exchanges.slice(0, Math.max(0, before));
      const repeat = repeatOf(failure, check);
      return [{ ...shared, ...found, source, title, steps, exchanges: shown, ...(repeat && { repeat }) }];
    });
  });
  const ofResponses = result.responseChecks.flatMap((source) => {
    const { ids, title: check, failed: times, failures } = source;
    const shared = { source, ids, check, title: "", times };
    return failures.map(({ exchange, excused, ...failure }) => ({
      ...shared,
      ...failure,
      steps: [],
      isExpected: excused !== undefined,
      exchanges: exchange === null ? [] : [exchange],
    }));
  });
  return [...ofCases, ...ofResponses];
}

/** Each exchange of the result once, with the first check that made it, although several test cases may share it. */
export function exchangesOf({ checks, responseChecks }: ContractResult): Map<RecordedExchange, string> {
  const ofCases = checks.flatMap(({ ids, title: check, cases }) =>
    cases.flatMap(({ title, exchanges }) => {
      const comment = [`${ids.join(" ")} ${check}`, title].filter(Boolean).join(": ");
      return exchanges.map((exchange) => [exchange, comment] as const);
    }),
  );
  const ofResponses = responseChecks.flatMap(({ ids, title, failures }) =>
    failures.flatMap(({ exchange }) =>
      exchange === null ? [] : [[exchange, `${ids.join(" ")} ${title}`] as const],
    ),
  );
  const first = new Map<string, readonly [RecordedExchange, string]>();
  for (const one of [...ofCases, ...ofResponses]) {
    const key = JSON.stringify(one[0]);
    if (!first.has(key)) first.set(key, one);
  }
  return new Map(first.values());
}

/** The steps that are about the message or contact that the path of the failing exchange names, or have its idempotency key; else all. */
export function stepsAbout({ steps, exchanges }: FailedCase): RecordedExchange[] {
  const { path = "", request } = exchanges[0] ?? {};
  const [, name = ""] = /\/(?:emails|contacts)\/(?!batch$)([^/?]+)/.exec(path) ?? [];
  const names = [name, decoded(name), request?.headers["Idempotency-Key"]].filter(Boolean);
  const found = steps.filter((step) => names.some((one) => JSON.stringify(step).includes(String(one))));
  return found.length > 0 ? found : steps;
}

/** The exchange that shows a failure, after those that lead to it: all of a random sequence. */
function shownExchanges(
  { exchange, first, seed }: Pick<Failure, "exchange" | "first" | "seed">,
  exchanges: readonly RecordedExchange[],
  { client, traffic }: Pick<ContractResult, "client" | "traffic">,
): RecordedExchange[] {
  // A call of a client without a request: the requests of other calls show nothing.
  if (client !== undefined && exchange === null) return [];
  const index = exchange ?? exchanges.length - 1;
  const isAlone = seed === undefined && traffic === undefined;
  return exchanges.slice(isAlone ? Math.max(0, first ?? index) : 0, index + 1);
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
  return `npx --no email-api-contract contract --profile model --grep ${kind.replaceAll(" ", ".")} --seed ${seed} --sequences 1`;
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
