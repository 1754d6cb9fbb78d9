import { requirements } from "../../generated/requirements.ts";
import type { RequirementRow } from "../../generated/schema-types.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { CaseOutcome, Verdict } from "../engine/outcome.ts";
import type {
  CheckResult,
  ContractResult,
  Counts,
  RequirementResult,
  RequirementVerdict,
  ResponseCheckResult,
} from "./result.ts";

type Row = Pick<RequirementRow, "id" | "text" | "kind" | "excluded"> & { topic: string };
const rows: Row[] = Object.values(requirements);

/** The first of these among the verdicts of its parts is the verdict of the whole. */
const precedence: readonly Verdict[] = ["fail", "error", "not verified", "pass"];
const combined = (verdicts: readonly Verdict[]): Verdict =>
  precedence.find((verdict) => verdicts.includes(verdict)) ?? "not verified";

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
>;

/**
 * The verdict of each check and each requirement.
 * @param expected the ids of requirements that are known to fail
 * @param planned the ids of requirements that the run was to verify
 * @param scope the requirements that the suite is about; default: all
 * @param missing what the configuration lacks, by the ids of planned requirements that need it
 */
export function summarize(
  information: RunInformation,
  outcomes: readonly CaseOutcome[],
  expected: readonly string[] = [],
  planned: ReadonlySet<string> = new Set(),
  missing: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  scope?: ReadonlySet<string>,
): ContractResult {
  const checks = checksOf(outcomes);
  const responseChecks = responseChecksOf(outcomes);
  const tested = rows.flatMap(
    (row) =>
      requirementOf(row, checks, responseChecks, expected) ??
      unseen(row, planned, missing.get(row.id), information.traffic !== undefined),
  );
  const isTraffic = information.traffic !== undefined;
  const ids = new Set(tested.map(({ id }) => id));
  const stale = tested
    .filter(({ id, verdict }) => expected.includes(id) && verdict === "pass")
    .map(({ id }) => id);
  const counts = countsOf(tested);
  const byTopic = Object.entries(Object.groupBy(tested, ({ topic }) => topic));
  return {
    format: 1,
    tool: { name: "email-api-contract", version: packageJson.version },
    ...information,
    exitCode: exitCodeOf(counts, stale, isTraffic),
    counts,
    byTopic: byTopic.map(([topic, own = []]) => ({ topic, ...countsOf(own) })),
    requirements: tested,
    notTested: rows
      .filter(({ id }) => !ids.has(id) && scope?.has(id) !== false)
      .map(({ id, topic, text, ...row }) => ({
        id,
        topic,
        text,
        reason: information.client === undefined ? notTestedReason(row, isTraffic) : outsideRun,
      })),
    checks,
    responseChecks,
    information: [...new Set(outcomes.flatMap((outcome) => outcome.information))].sort(),
    stale,
  };
}

function exitCodeOf({ fail, notVerified, error }: Counts, stale: string[], isTraffic: boolean): 0 | 1 | 3 {
  if (isTraffic) return fail > 0 ? 1 : 0;
  if (fail > 0 || stale.length > 0) return 1;
  return notVerified + error > 0 ? 3 : 0;
}

function checksOf(outcomes: readonly CaseOutcome[]): CheckResult[] {
  const groups = Map.groupBy(outcomes, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ ids, check, tags }) => ({
      ids,
      title: check,
      tags,
      verdict: combined(group.map(({ verdict }) => verdict)),
      cases: group.map(({ title, verdict, reason, failure, exchanges, milliseconds }) => ({
        title,
        verdict,
        ...(reason === undefined ? {} : { reason }),
        ...(failure === undefined ? {} : { failure }),
        exchanges,
        milliseconds,
      })),
    })),
  );
}

function responseChecksOf(outcomes: readonly CaseOutcome[]): ResponseCheckResult[] {
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
      failures: failures.slice(0, maxFailures),
    }));
  });
}

function requirementOf(
  { id, topic, text }: Row,
  allChecks: readonly CheckResult[],
  allResponseChecks: readonly ResponseCheckResult[],
  expected: readonly string[],
): RequirementResult | undefined {
  const checks = allChecks.filter(({ ids }) => ids.includes(id));
  const responseChecks = allResponseChecks.filter(({ ids }) => ids.includes(id));
  if (checks.length + responseChecks.length === 0) return undefined;
  const cases = checks.flatMap((check) => check.cases);
  const withVerdict = (verdict: Verdict) => cases.filter((one) => one.verdict === verdict);
  const verdict = combined([...checks, ...responseChecks].map((check) => check.verdict));
  const reason = withVerdict(verdict)[0]?.reason;
  return {
    id,
    topic,
    text,
    verdict: verdict === "fail" && expected.includes(id) ? "expected failure" : verdict,
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

const notTestedReason = ({ kind, excluded }: Pick<Row, "kind" | "excluded">, isTraffic: boolean): string =>
  excluded ??
  (kind === "client"
    ? "It is a requirement for clients: the client suite verifies it."
    : isTraffic
      ? outsideTraffic
      : outsideRun);

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
