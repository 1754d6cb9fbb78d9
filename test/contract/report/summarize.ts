import { requirements } from "../../../generated/requirements.ts";
import type { RecordedExchange, TrialOutcome, Verdict } from "../engine/outcome.ts";
import { unobserved } from "../unobserved.ts";
import type {
  ContractResult,
  Counts,
  LawResult,
  NotTried,
  RequirementResult,
  RequirementVerdict,
  WireResult,
} from "./result.ts";

interface Row {
  id: string;
  topic: string;
  text: string;
  kind: string;
  excluded?: string;
}
const rows: Row[] = Object.values(requirements);

/** The worst first: a law holds only where all its trials do. */
const worst: readonly Verdict[] = ["fail", "error", "not verified", "pass"];
const worstOf = (verdicts: readonly Verdict[]): Verdict =>
  worst.find((verdict) => verdicts.includes(verdict)) ?? "not verified";

/** How many breaches of one law of the wire are kept. */
const mostBreaches = 5;

/** What a run has to add to what its outcomes say. */
export type Circumstances = Omit<
  ContractResult,
  "exitCode" | "counts" | "byTopic" | "requirements" | "notTried" | "laws" | "wire" | "information" | "stale"
>;

/**
 * What the outcomes of a run say about each law and each requirement.
 * @param expected the ids of requirements that are known to fail
 * @param planned the ids of requirements that the run was to verify
 */
export function summarize(
  circumstances: Circumstances,
  outcomes: readonly TrialOutcome[],
  expected: readonly string[] = [],
  planned: ReadonlySet<string> = new Set(),
): ContractResult {
  const laws = lawsOf(outcomes);
  const wire = wireOf(outcomes);
  const tried = rows.flatMap((row) => requirementOf(row, laws, wire, expected) ?? unseen(row, planned));
  const notTried = rows.flatMap((row) => (tried.some(({ id }) => id === row.id) ? [] : notTriedOf(row)));
  const stale = tried
    .filter(({ id, verdict }) => expected.includes(id) && verdict === "pass")
    .map(({ id }) => id);
  const counts = countsOf(tried);
  const topics = [...new Set(tried.map(({ topic }) => topic))];
  return {
    ...circumstances,
    exitCode: exitCodeOf(counts, stale),
    counts,
    byTopic: topics.map((topic) => ({ topic, ...countsOf(tried.filter((one) => one.topic === topic)) })),
    requirements: tried,
    notTried,
    laws,
    wire,
    information: [...new Set(outcomes.flatMap(({ information }) => information))].sort(),
    stale,
  };
}

function exitCodeOf({ fail, notVerified, error }: Counts, stale: readonly string[]): 0 | 1 | 3 {
  if (fail > 0 || stale.length > 0) return 1;
  return notVerified + error > 0 ? 3 : 0;
}

function lawsOf(outcomes: readonly TrialOutcome[]): LawResult[] {
  const groups = Object.values(Object.groupBy(outcomes, ({ ids, law }) => `${ids.join(" ")} ${law}`));
  return groups.flatMap((group) => {
    const [first] = group ?? [];
    if (group === undefined || first === undefined) return [];
    const { ids, law, tags } = first;
    const trials = group.map(({ title, verdict, reason, breach, exchanges, milliseconds }) => ({
      title,
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...(breach === undefined ? {} : { breach }),
      exchanges,
      milliseconds,
    }));
    return [{ ids, law, tags, verdict: worstOf(trials.map(({ verdict }) => verdict)), trials }];
  });
}

function wireOf(outcomes: readonly TrialOutcome[]): WireResult[] {
  const all = outcomes.flatMap(({ wire, exchanges }) => wire.map((tally) => ({ tally, exchanges })));
  const groups = Object.values(Object.groupBy(all, ({ tally }) => `${tally.ids.join(" ")} ${tally.law}`));
  return groups.flatMap((group) => {
    const [first] = group ?? [];
    if (group === undefined || first === undefined) return [];
    const breaches = group.flatMap(({ tally, exchanges }) =>
      tally.breaches.map(({ expected, found, exchange }) => ({
        expected,
        found,
        exchange: at(exchanges, exchange),
      })),
    );
    const { ids, law } = first.tally;
    return [
      {
        ids,
        law,
        verdict: breaches.length > 0 ? ("fail" as const) : ("pass" as const),
        answers: group.reduce((sum, { tally }) => sum + tally.answers, 0),
        broken: breaches.length,
        breaches: breaches.slice(0, mostBreaches),
      },
    ];
  });
}

const at = (exchanges: RecordedExchange[], index: number | null): RecordedExchange | null =>
  index === null ? null : (exchanges[index] ?? null);

function requirementOf(
  { id, topic, text }: Row,
  laws: readonly LawResult[],
  wire: readonly WireResult[],
  expected: readonly string[],
): RequirementResult | undefined {
  const own = laws.filter(({ ids }) => ids.includes(id));
  const ofWire = wire.filter(({ ids }) => ids.includes(id));
  if (own.length + ofWire.length === 0) return undefined;
  const trials = own.flatMap((law) => law.trials);
  const verdict = worstOf([...own, ...ofWire].map((one) => one.verdict));
  const reason = trials.find((trial) => trial.verdict === verdict)?.reason;
  const told: RequirementVerdict = verdict === "fail" && expected.includes(id) ? "expected failure" : verdict;
  return {
    id,
    topic,
    text,
    verdict: told,
    ...(reason === undefined || verdict === "pass" ? {} : { reason }),
    held:
      trials.filter((trial) => trial.verdict === "pass").length +
      sum(ofWire, ({ answers, broken }) => answers - broken),
    failed: trials.filter((trial) => trial.verdict === "fail").length + sum(ofWire, ({ broken }) => broken),
  };
}

/** A requirement that the run was to verify, and that no response of it showed. */
const unseen = ({ id, topic, text }: Row, planned: ReadonlySet<string>): RequirementResult[] =>
  planned.has(id)
    ? [
        {
          id,
          topic,
          text,
          verdict: "not verified",
          reason: "No response of the run shows it.",
          held: 0,
          failed: 0,
        },
      ]
    : [];

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

function notTriedOf({ id, topic, text, kind, excluded }: Row): NotTried[] {
  const reason =
    excluded ??
    unobserved[id] ??
    (kind === "client" ? "It is for clients to keep." : "This run has no check of it.");
  return [{ id, topic, text, reason }];
}

const countsOf = (tried: readonly RequirementResult[]): Counts => {
  const count = (verdict: RequirementVerdict): number =>
    tried.filter((one) => one.verdict === verdict).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    expectedFailure: count("expected failure"),
    notVerified: count("not verified"),
    error: count("error"),
  };
};
