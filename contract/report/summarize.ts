import { requirements } from "../../generated/requirements.ts";
import type { RequirementRow } from "../../generated/schema-types.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { ExpectedFailure } from "../config/load.ts";
import type { CaseOutcome } from "../engine/outcome.ts";
import { requestName } from "../exchange.ts";
import { isOutside } from "../plan.ts";
import { expectationOf, isFailure, placesOf, stateOf, withExcused } from "./expected.ts";
import type {
  CheckResult,
  ContractResult,
  Counts,
  RequirementResult,
  RequirementVerdict,
  ResponseCheckResult,
} from "./result.ts";

type Row = Pick<RequirementRow, "id" | "text" | "kind" | "excluded"> & {
  topic: string;
  operations: readonly string[];
};
export const rows: Row[] = Object.values(requirements);

/** The first of these among the verdicts of its parts is the verdict of the whole. */
const precedence = ["fail", "error", "expected failure", "not verified", "pass"] as const;
const combined = <One extends RequirementVerdict>(verdicts: readonly One[]): One | "not verified" =>
  precedence.find((verdict): verdict is One => verdicts.some((one) => one === verdict)) ?? "not verified";

/** How many failures of one response check are kept. */
const maxFailures = 5;

/** What the outcomes do not say about a run. */
export type RunInformation = Omit<
  ContractResult,
  | "format"
  | "tool"
  | "exitCode"
  | "counts"
  | "byTopic"
  | "requirements"
  | "notTested"
  | "checks"
  | "responseChecks"
  | "information"
  | "stale"
  | "expectedFailures"
>;

/**
 * The verdict of each check and each requirement.
 * @param expected what is known to fail
 * @param planned the ids of requirements that the run was to verify
 * @param scope the requirements that the suite is about; default: all
 * @param missing what the configuration lacks, by the ids of planned requirements that need it
 */
export function summarize(
  information: RunInformation,
  outcomes: readonly CaseOutcome[],
  expected: readonly ExpectedFailure[] = [],
  planned: ReadonlySet<string> = new Set(),
  missing: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  scope?: ReadonlySet<string>,
): ContractResult {
  const isExpected = expectationOf(expected);
  const found = { ...information, checks: checksOf(outcomes), responseChecks: responseChecksOf(outcomes) };
  const { checks, responseChecks } = withExcused(found, isExpected, "expected");
  const places = placesOf(found);
  const verdictOf = (place: (typeof places)[number]): RequirementVerdict =>
    isFailure(place.verdict) && isExpected(place) ? "expected failure" : place.verdict;
  const tested = rows.flatMap(
    (row) =>
      requirementOf(row, checks, responseChecks, () =>
        combined(places.filter(({ id }) => id === row.id).map(verdictOf)),
      ) ?? unseen(row, planned, missing.get(row.id), information.traffic !== undefined),
  );
  const verdicts = new Map(tested.map(({ id, verdict }) => [id, verdict]));
  const entries = expected.map((entry) => ({
    ...entry,
    state: stateOf(entry, places, verdicts.get(entry.id)),
  }));
  const counts = countsOf(tested);
  const byTopic = Object.entries(Object.groupBy(tested, ({ topic }) => topic));
  return {
    format: 1,
    tool: { name: "email-api-contract", version: packageJson.version },
    ...information,
    exitCode: exitCodeOf(information, counts, entries),
    counts,
    byTopic: byTopic.map(([topic, own = []]) => ({ topic, ...countsOf(own) })),
    requirements: tested,
    notTested: rows
      .filter(({ id }) => !verdicts.has(id) && scope?.has(id) !== false)
      .map(({ id, topic, text, ...row }) => ({
        id,
        topic,
        text,
        reason: information.client === undefined ? notTestedReason(row, information) : outsideRun,
      })),
    checks,
    responseChecks,
    information: [...new Set(outcomes.flatMap((outcome) => outcome.information))].sort(),
    stale: [...new Set(entries.filter(({ state }) => state === "passes").map(({ id }) => id))],
    ...(entries.length > 0 && { expectedFailures: entries }),
  };
}

function exitCodeOf(
  { traffic, resetError }: RunInformation,
  { fail, notVerified, error }: Counts,
  entries: readonly { state: string }[],
): 0 | 1 | 3 {
  const isExpired = entries.some(({ state }) => state === "expired");
  // Traffic may only lack what shows a failure.
  if (traffic !== undefined) return fail + error > 0 || isExpired ? 1 : 0;
  const isStale = entries.some(({ state }) => state === "passes");
  if (fail + error > 0 || isExpired || isStale || resetError !== undefined) return 1;
  return notVerified > 0 ? 3 : 0;
}

export function checksOf(outcomes: readonly CaseOutcome[]): CheckResult[] {
  const groups = Map.groupBy(outcomes, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ ids, check, tags }) => ({
      ids,
      title: check,
      tags,
      verdict: combined(group.map(({ verdict }) => verdict)),
      cases: group.map(({ title, operation, verdict, reason, failure, exchanges, milliseconds }) => ({
        title,
        ...(operation === undefined ? {} : { operation }),
        verdict,
        ...(reason === undefined ? {} : { reason }),
        ...(failure === undefined ? {} : { failure }),
        exchanges,
        milliseconds,
      })),
    })),
  );
}

export function responseChecksOf(outcomes: readonly CaseOutcome[]): ResponseCheckResult[] {
  const all = outcomes.flatMap(({ responseChecks, exchanges }) =>
    responseChecks.map((tally) => ({ ...tally, exchanges })),
  );
  const groups = Map.groupBy(all, ({ ids, title }) => `${ids.join(" ")} ${title}`);
  return [...groups.values()].flatMap((group) => {
    const failures = group.flatMap(({ failures, exchanges }) =>
      failures.map((failure) => ({ ...failure, exchange: exchanges[failure.exchange ?? -1] ?? null })),
    );
    return group.slice(0, 1).map(({ ids, title }) => ({
      ids: [...ids],
      title,
      verdict: failures.length > 0 ? "fail" : "pass",
      responses: sum(group, ({ responses }) => responses),
      failed: failures.length,
      failures: keptOf(failures),
    }));
  });
}

/** The first failures, and one of each operation. */
function keptOf<One extends { exchange: CaseOutcome["exchanges"][number] | null }>(failures: One[]): One[] {
  const byOperation = Map.groupBy(failures, ({ exchange }) => exchange && requestName(exchange).operation);
  const firsts = new Set([...byOperation.values()].flatMap((own) => own.slice(0, 1)));
  return failures.filter((one, index) => index < maxFailures || firsts.has(one));
}

function requirementOf(
  { id, topic, text }: Row,
  allChecks: readonly CheckResult[],
  allResponseChecks: readonly ResponseCheckResult[],
  verdictOf: () => RequirementVerdict,
): RequirementResult | undefined {
  const checks = allChecks.filter(({ ids }) => ids.includes(id));
  const responseChecks = allResponseChecks.filter(({ ids }) => ids.includes(id));
  if (checks.length + responseChecks.length === 0) return undefined;
  const cases = checks.flatMap((check) => check.cases);
  const withVerdict = (verdict: RequirementVerdict) => cases.filter((one) => one.verdict === verdict);
  const verdict = verdictOf();
  const reason = withVerdict(verdict)[0]?.reason;
  return {
    id,
    topic,
    text,
    verdict,
    ...(reason === undefined || verdict === "pass" ? {} : { reason }),
    passed: withVerdict("pass").length + sum(responseChecks, ({ responses, failed }) => responses - failed),
    failed: withVerdict("fail").length + sum(responseChecks, ({ failed }) => failed),
  };
}

/** A planned requirement that no response of the run shows. */
function unseen(
  { id, topic, text }: Row,
  planned: ReadonlySet<string>,
  missing: ReadonlySet<string> | undefined,
  isTraffic: boolean,
): RequirementResult[] {
  if (!planned.has(id)) return [];
  const reason = missing
    ? `Not configured: ${[...missing].join(", ")}.`
    : isTraffic
      ? "Not seen in the traffic."
      : "No response of the run shows it.";
  return [{ id, topic, text, verdict: "not verified", reason, passed: 0, failed: 0 }];
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const outsideTraffic = "Traffic does not show it: the contract suite verifies it.";
const outsideRun = "No check of this run verifies it.";

function notTestedReason(
  { kind, excluded, operations }: Omit<Row, "id" | "text" | "topic">,
  { traffic, notImplemented = [] }: RunInformation,
): string {
  if (excluded !== undefined) return excluded;
  if (kind === "client") return "It is a requirement for clients: the client suite verifies it.";
  if (isOutside(operations, notImplemented))
    return `The configuration says that it is not implemented: ${operations.join(", ")}.`;
  return traffic === undefined ? outsideRun : outsideTraffic;
}

function countsOf(tested: readonly RequirementResult[]): Counts {
  const count = (verdict: RequirementVerdict): number =>
    tested.filter((one) => one.verdict === verdict).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    expectedFailure: count("expected failure"),
    notVerified: count("not verified"),
    error: count("error"),
  };
}
