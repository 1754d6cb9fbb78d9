import type {
  Report,
  ReportCase,
  ReportExchange,
  ReportExcused,
  ReportRequirement,
  ReportResponseCheck,
} from "../../generated/schema-types.ts";
import { decoded } from "../../lib/text.ts";
import type { Failure } from "../engine/outcome.ts";

/** The result of a run of the contract suite, which is also the JSON report: its schema describes each property. */
export type ContractResult = Report;
export type RequirementVerdict = ReportRequirement["verdict"];
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
  steps: ReportExchange[];
  /** The exchanges that lead to it, and it: more than one for a random sequence of requests. */
  exchanges: ReportExchange[];
  /** The command that repeats a random sequence of requests. */
  repeat?: string;
  /** How many cases, or responses, fail the check. */
  times: number;
  /** Why it does not fail the run: absent if it does. */
  excused?: ReportExcused;
  source: ReportCase | ReportResponseCheck;
}

/** Everything that failed, test cases first. */
export function failedCases(
  result: Pick<ContractResult, "checks" | "responseChecks" | "client" | "traffic">,
): FailedCase[] {
  const { checks, responseChecks, client, traffic } = result;
  const ofCases = checks.flatMap(({ ids, title: check, cases }) => {
    const times = cases.filter(({ verdict }) => verdict === "fail").length;
    return cases.flatMap((source): FailedCase[] => {
      const { title, failure, exchanges, excused } = source;
      if (failure === undefined) return [];
      const { exchange, seed, first: own, ...found } = failure;
      // A call of a client without a request: the requests of other calls show nothing.
      const isWithout = client !== undefined && exchange === null;
      const all = isWithout ? [] : exchanges.slice(0, (exchange ?? exchanges.length - 1) + 1);
      const first = seed || traffic ? 0 : Math.max(0, own ?? all.length - 1);
      const repeat = repeatOf(failure, check);
      const shown = { steps: all.slice(0, first), exchanges: all.slice(first) };
      const more = { ...(repeat && { repeat }), ...(excused && { excused }) };
      return [{ source, ids, check, title, times, ...found, ...shown, ...more }];
    });
  });
  const ofResponses = responseChecks.flatMap((source) => {
    const { ids, title: check, failed: times, failures } = source;
    return failures.map(({ exchange, ...found }) => {
      const exchanges = exchange === null ? [] : [exchange];
      return { source, ids, check, title: "", times, ...found, steps: [], exchanges };
    });
  });
  return [...ofCases, ...ofResponses];
}

/** The steps that are about the message or contact that the path of the failing exchange names, or have its idempotency key; else all. */
export function stepsAbout({ steps, exchanges }: FailedCase): readonly ReportExchange[] {
  const [, name] = /\/(?:emails|contacts)\/(?!batch$)([^/?]+)/.exec(exchanges[0]?.path ?? "") ?? [];
  const names = [name, decoded(name ?? ""), exchanges[0]?.request.headers["Idempotency-Key"]];
  const found = steps.filter((step) => names.some((one) => one && JSON.stringify(step).includes(one)));
  return found.length > 0 ? found : steps;
}

/** A failed case with the requirements of its check, in a line. */
export const headingOf = ({ ids, check, title }: Pick<FailedCase, "ids" | "check" | "title">): string =>
  `${ids.join(" ")} ${check}${title === "" ? "" : `: ${title}`}`;

/** The exchanges of the result, with the checks that made them: several test cases may share one. */
export function exchangesOf({ checks, responseChecks }: ContractResult) {
  const ofCases = checks.flatMap(({ ids, title: check, cases }) =>
    cases.map(({ title, exchanges }) => ({ ids, check, title, exchanges })),
  );
  const ofResponses = responseChecks.map(({ ids, title: check, failures }) => {
    return { ids, check, title: "", exchanges: failures.flatMap(({ exchange }) => exchange ?? []) };
  });
  return [...ofCases, ...ofResponses].flatMap(({ exchanges, ...one }) =>
    exchanges.map((exchange) => ({ exchange, comment: headingOf(one) })),
  );
}

/**
 * The command that repeats a random sequence of requests. The options for the server are to be added.
 * @param check its title
 */
export function repeatOf({ seed }: Pick<Failure, "seed">, check: string): string | undefined {
  if (seed === undefined) return undefined;
  const [, kind = "random sequences"] = /^random sequences of (\w+ requests \w+)/.exec(check) ?? [];
  // Without spaces, it needs no quotation marks, which some formats escape.
  return `npx --no email-api-contract contract --profile model --grep ${kind.replaceAll(" ", ".")} --seed ${seed} --sequences 1`;
}

export const verdictsOf = ({ requirements }: ContractResult): Map<string, RequirementVerdict> =>
  new Map(requirements.map(({ id, verdict }) => [id, verdict]));

export const textsOf = ({ requirements }: ContractResult): Map<string, string> =>
  new Map(requirements.map(({ id, text }) => [id, text]));

/** What was tested: the implementation if it is named, or else the client or the base URL; of a comparison, both clients. */
export const subjectOf = ({ implementation: own, client, baseUrl }: ContractResult): string =>
  own && !client?.against ? `${own.name} ${own.version}` : (client?.name ?? baseUrl);

/** What a run does not test although its operations are there. */
export const untested = ({ notTested }: Pick<ContractResult, "notTested">) =>
  notTested.filter(({ needs }) => needs !== undefined);

type Decisive = "traffic" | "resetError" | "counts" | "expectedFailures" | "requirements" | "baseline";

/** With a baseline, only what is new or lost counts. Traffic may only lack what shows a failure, or verifies something. */
export function exitCodeOf(result: Pick<ContractResult, Decisive>): 0 | 1 | 3 {
  const { traffic, resetError, counts, expectedFailures = [], baseline, requirements } = result;
  const isComplete = traffic === undefined;
  const failed = baseline?.newFailures.length ?? counts.fail + counts.error;
  const open = baseline ? lostIn(result).length : counts.notVerified;
  const isFaulty = expectedFailures.some(
    ({ state }) => state === "expired" || (state === "passes" && isComplete && baseline === undefined),
  );
  if (failed > 0 || isFaulty || resetError !== undefined) return 1;
  // A run of no check verifies nothing.
  return isComplete && (open > 0 || requirements.length === 0) ? 3 : 0;
}

/** The requirements that are not verified any more: another profile, or --grep, leaves others out on purpose. */
export const lostIn = ({ requirements, baseline }: Pick<ContractResult, "requirements" | "baseline">) =>
  requirements.filter(({ id }) => baseline?.noLongerVerified.includes(id));
