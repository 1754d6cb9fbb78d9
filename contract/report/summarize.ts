import { requirements } from "../../generated/requirements.ts";
import type {
  ReportCheck,
  ReportCounts,
  ReportRequirement,
  ReportResponseCheck,
  RequirementRow,
} from "../../generated/schema-types.ts";
import { mapTexts } from "../../lib/objects.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { ExpectedFailure } from "../config/load.ts";
import { document } from "../document.ts";
import type { CaseOutcome } from "../engine/outcome.ts";
import { notConfigured } from "../engine/run-case.ts";
import { requestName } from "../exchange.ts";
import { isOutside } from "../plan.ts";
import { listOf } from "../text.ts";
import { scopeOf } from "./counts.ts";
import { coveredBy, excuse, expectationOf, isFailure, placesOf, stateOf } from "./expected.ts";
import { type Level, levelStates } from "./levels.ts";
import { type ContractResult, exitCodeOf, type RequirementVerdict } from "./result.ts";

type Row = Pick<RequirementRow, "id" | "text" | "kind" | "excluded"> & {
  topic: string;
  operations: readonly string[];
};
export const rows: Row[] = Object.values(requirements);

/** The first of these among the verdicts of its parts is the verdict of the whole. */
const precedence = ["fail", "error", "expected failure", "not verified", "pass"] as const;
export const combined = <One extends RequirementVerdict>(verdicts: readonly One[]): One | "not verified" =>
  precedence.find((verdict): verdict is One => verdicts.some((one) => one === verdict)) ?? "not verified";

/** How many failures of one response check are kept. */
const maxFailures = 5;

type Verdicts = "exitCode" | "counts" | "byTopic" | "requirements" | "notTested" | "levels";
type Found = "stale" | "expectedFailures" | "checks" | "responseChecks" | "information";

/** What the outcomes do not say about a run. */
export type RunInformation = Omit<ContractResult, "format" | "tool" | "document" | Verdicts | Found>;

interface Summarized {
  information: RunInformation;
  outcomes: readonly CaseOutcome[];
  /** Removes keys from what the outcomes do not say; in outcomes, there are none. */
  redact?: (text: string) => string;
  /** What is known to fail. */
  expected?: readonly ExpectedFailure[] | undefined;
  /** The ids of requirements that the run was to verify. */
  planned?: ReadonlySet<string>;
  /** What the configuration lacks, by the ids of planned requirements that need it. */
  missing?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The requirements that the suite is about; default: all. */
  scope?: ReadonlySet<string> | undefined;
  /** The levels that the run can show; default: none. */
  levels?: readonly Level[];
  /** The operations that are not implemented, by the ids of requirements of others that need them. */
  outside?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The verdict of each check and each requirement. */
export function summarize(run: Summarized): ContractResult {
  const { outcomes, planned, missing, scope, levels = [], outside, redact = (text) => text } = run;
  const information = { ...mapTexts(run.information, redact), profile: run.information.profile };
  const expected = mapTexts(run.expected ?? [], redact);
  const isExpected = expectationOf(expected);
  const [checks, responseChecks] = [checksOf(outcomes), responseChecksOf(outcomes)];
  const found = { ...information, checks, responseChecks };
  excuse(found, isExpected, "expected");
  const places = placesOf(found);
  // Of the failures of a response check, reports have the first ones.
  const all =
    expected.length === 0
      ? []
      : placesOf({ ...found, responseChecks: responseChecksOf(outcomes, (own) => own) });
  const verdictOf = (place: (typeof places)[number]): RequirementVerdict =>
    isFailure(place.verdict) && isExpected(place) ? "expected failure" : place.verdict;
  const tested = rows.flatMap((row) => {
    const own = places.filter(({ id }) => id === row.id).map(verdictOf);
    const isTested = own.length > 0 || planned?.has(row.id) === true;
    return isTested ? [requirementOf(row, found, own, missing?.get(row.id), outside?.get(row.id))] : [];
  });
  const verdicts = new Map(tested.map(({ id, verdict }) => [id, verdict]));
  const expectedFailures = expected.map((entry) => ({
    ...entry,
    state: stateOf(entry, places, verdicts.get(entry.id)),
    ...coveredBy(entry, all),
  }));
  const counts = countsOf(tested);
  return {
    format: 1,
    tool: { name: "email-api-contract", version: packageJson.version },
    document: { version: document.info.version },
    ...information,
    exitCode: exitCodeOf({ ...information, counts, expectedFailures, requirements: tested }),
    counts,
    byTopic: byTopicOf(tested),
    requirements: tested,
    notTested: rows
      .filter(({ id }) => !verdicts.has(id) && scope?.has(id) !== false)
      .map((row) => {
        const { id, topic, text } = row;
        const needs = outside?.get(id);
        const reason = reasonOf(row, information, needs);
        return { id, topic, text, reason, ...(needs && { needs: [...needs] }) };
      }),
    checks,
    responseChecks,
    information: [...new Set(outcomes.flatMap((outcome) => outcome.information))].sort(),
    stale: [...new Set(expectedFailures.filter(({ state }) => state === "passes").map(({ id }) => id))],
    ...(levels.length > 0 && { levels: levelStates({ ...information, requirements: tested }, levels) }),
    ...(expectedFailures.length > 0 && { expectedFailures }),
  };
}

export function checksOf(outcomes: readonly CaseOutcome[]): ReportCheck[] {
  const own = outcomes.filter(({ isOutside }) => isOutside !== true);
  const groups = Map.groupBy(own, ({ ids, check }) => `${ids.join(" ")} ${check}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ ids, check, tags }) => ({
      ids,
      title: check,
      tags,
      verdict: combined(group.map(({ verdict }) => verdict)),
      cases: group.map(
        ({ ids: _, check: __, tags: ___, responseChecks, information, requests, ...one }) => one,
      ),
    })),
  );
}

export function responseChecksOf(outcomes: readonly CaseOutcome[], kept = keptOf): ReportResponseCheck[] {
  const all = outcomes.flatMap(({ responseChecks }) => responseChecks);
  const groups = Map.groupBy(all, ({ ids, title }) => `${ids.join(" ")} ${title}`);
  return [...groups.values()].flatMap((group) => {
    const failures = group.flatMap((one) => one.failures);
    return group.slice(0, 1).map(({ ids, title }) => ({
      ids: [...ids],
      title,
      verdict: failures.length > 0 ? "fail" : "pass",
      responses: sum(group, ({ responses }) => responses),
      failed: new Set(failures.map((one) => one.exchange ?? one)).size,
      failures: kept(failures),
    }));
  });
}

/** The first failures, and the shortest of each operation, and of each thing that two clients differ in. */
function keptOf(failures: ReportResponseCheck["failures"]): ReportResponseCheck["failures"] {
  const groups = Map.groupBy(
    failures,
    ({ exchange: one, at }) => `${one && requestName(one).operation} ${at}`,
  );
  const lengthOf = ({ exchange }: (typeof failures)[number]): number => exchange?.request.body?.length ?? 0;
  const shortest = new Set(
    [...groups.values()].map((own) => own.toSorted((one, other) => lengthOf(one) - lengthOf(other))[0]),
  );
  return failures.filter((one, index) => index < maxFailures || shortest.has(one)).map((one) => ({ ...one }));
}

/** @param verdicts of its test cases and responses; none: it was planned, and no response of the run shows it */
function requirementOf(
  { id, topic, text }: Row,
  { checks, responseChecks, traffic }: Pick<ContractResult, "checks" | "responseChecks" | "traffic">,
  verdicts: readonly RequirementVerdict[],
  missing: ReadonlySet<string> | undefined,
  outside: ReadonlySet<string> | undefined,
): ReportRequirement {
  const verdict = combined(verdicts);
  const cases = checks.flatMap((check) => (check.ids.includes(id) ? check.cases : []));
  const ofResponses = responseChecks.filter(({ ids }) => ids.includes(id));
  const withVerdict = (wanted: RequirementVerdict) => cases.filter((one) => one.verdict === wanted);
  const orAtOnce = traffic?.concurrent ? ", or only at the same time as others" : "";
  const unseen = traffic ? `Not seen in the traffic${orAtOnce}.` : "No response of the run shows it.";
  const unable = missing && { reason: notConfigured([...missing]), needs: [...missing] };
  const partly = verdict === "pass" &&
    outside && {
      reason: `Test cases that need ${listOf([...outside])} are outside the run (notImplemented).`,
      needs: [...outside],
    };
  const { reason, needs }: Pick<ReportRequirement, "reason" | "needs"> =
    verdicts.length === 0 ? (unable ?? { reason: unseen }) : partly || (withVerdict(verdict)[0] ?? {});
  return {
    id,
    topic,
    text,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(needs && { needs }),
    passed: withVerdict("pass").length + sum(ofResponses, ({ responses, failed }) => responses - failed),
    failed: withVerdict("fail").length + sum(ofResponses, ({ failed }) => failed),
  };
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Why a requirement is outside a run. */
function reasonOf(
  { kind, excluded, operations }: Pick<Row, "kind" | "excluded" | "operations">,
  { client, traffic, profile, without, notImplemented = [] }: RunInformation,
  needed?: ReadonlySet<string>,
): string {
  if (client !== undefined) return "No check of this run verifies it.";
  if (excluded !== undefined) return excluded;
  if (kind === "client") return "It is a requirement for clients: the client suite verifies it.";
  if (isOutside(operations, notImplemented))
    return `The configuration says that it is not implemented: ${operations.join(", ")}.`;
  if (needed !== undefined) return `Needs ${[...needed].join(", ")} (notImplemented).`;
  if (traffic) return "Traffic does not show it: the contract suite verifies it.";
  return `No check of this run verifies it (${scopeOf({ profile, ...(without && { without }) })}).`;
}

export const byTopicOf = (tested: readonly ReportRequirement[]): ContractResult["byTopic"] =>
  Map.groupBy(tested, ({ topic }) => topic)
    .entries()
    .map(([topic, own]) => ({ topic, ...countsOf(own) }))
    .toArray();

export function countsOf(tested: readonly ReportRequirement[]): ReportCounts {
  const count = (verdict: RequirementVerdict) => tested.filter((one) => one.verdict === verdict).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    expectedFailure: count("expected failure"),
    notVerified: count("not verified"),
    error: count("error"),
  };
}
