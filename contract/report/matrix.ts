import { usageError } from "../../lib/user-error.ts";
import { capitalized } from "../text.ts";
import { openCount, type ReportTable, scopeOf } from "./counts.ts";
import { jsonText, readReport } from "./json.ts";
import { levelClaim } from "./levels.ts";
import { claimOf, publishedReport } from "./publish.ts";
import { type ContractResult, type RequirementVerdict, verdictsOf } from "./result.ts";

/** An implementation with its reports. */
export interface Implementation extends NonNullable<ContractResult["implementation"]> {
  /** For anchors: unique in the matrix. */
  id: string;
  /** The latest one, and its verdicts by requirement. */
  report: ContractResult;
  verdicts: ReadonlyMap<string, RequirementVerdict>;
  /** All of them, the latest first. */
  versions: readonly ContractResult[];
}

/** Implementations of one kind, and the requirements that any of them is tested for. */
export interface Group {
  kind: "server" | "client";
  implementations: readonly Implementation[];
  topics: readonly { topic: string; requirements: readonly { id: string; text: string }[] }[];
}

const hint = "Give reports that `--publish FILE` wrote.";

/**
 * Reads published reports.
 * @throws UserError with exit code 2 if a file is not a report, names no implementation, or has no date
 */
export const readMatrix = (files: readonly string[]): Group[] =>
  matrixOf(
    files.map((file) => {
      const report = readReport(file, hint);
      const lack = (what: string) => usageError(`${file} ${what}`, hint);
      if (report.implementation === undefined) throw lack("does not say which implementation it is about");
      if (Number.isNaN(Date.parse(report.startedAt)))
        throw lack(`has no date in startedAt (got "${report.startedAt}")`);
      return report;
    }),
  );

/** What reports say about their implementations: of several reports with the same name, the latest counts. */
export function matrixOf(reports: readonly ContractResult[]): Group[] {
  const published = reports.map((report) => publishedReport(report));
  return (["server", "client"] as const).flatMap((kind) => {
    const own = published.filter(({ client }) => (client ? "client" : "server") === kind);
    const byName = Map.groupBy(own, ({ implementation }) => implementation?.name);
    const implementations = [...byName.values()].flatMap((all, index): Implementation[] => {
      const versions = all.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
      const [report] = versions;
      if (report?.implementation === undefined) return [];
      const id = `${kind}-${index + 1}`;
      return [{ ...report.implementation, id, report, verdicts: verdictsOf(report), versions }];
    });
    return own.length === 0 ? [] : [{ kind, implementations, topics: topicsOf(implementations) }];
  });
}

function topicsOf(implementations: readonly Implementation[]): Group["topics"] {
  const all = implementations.flatMap(({ report }) => report.requirements);
  const rows = [...new Map(all.map((row) => [row.id, row])).values()];
  return [...Map.groupBy(rows, ({ topic }) => topic)].map(([topic, own]) => ({
    topic: capitalized(topic),
    requirements: own.toSorted((one, other) => one.id.localeCompare(other.id, "en", { numeric: true })),
  }));
}

/** The verdict on a requirement of an implementation, also if its run does not test it. */
export const verdictIn = ({ verdicts }: Implementation, id: string) => verdicts.get(id) ?? "outside the run";

/** How many of some requirements pass: `12 of 14`. */
export function passedIn({ verdicts }: Implementation, requirements: readonly { id: string }[]): string {
  const tested = requirements.flatMap(({ id }) => verdicts.get(id) ?? []);
  return tested.length === 0 ? "" : `${tested.filter((one) => one === "pass").length} of ${tested.length}`;
}

/** What a report is about. */
export const factsOf = (report: ContractResult): string[] => {
  const { implementation, startedAt, tool, document } = report;
  const facts = [
    ...[implementation?.contact, capitalized(scopeOf(report)), startedAt.slice(0, 10)],
    ...[`${tool.name} ${tool.version}`, document && `document ${document.version}`],
  ];
  return facts.filter((fact) => fact !== undefined);
};

/** A line for each report: of the implementations, or the versions of one. */
export const claimTable = (reports: readonly ContractResult[]): ReportTable => ({
  head: ["Implementation", "Version", "Date", "Level", "Requirements", "Exceptions"],
  rows: reports.map((report) => {
    const { implementation, startedAt, counts, requirements, notImplemented } = report;
    return [
      ...[implementation?.name ?? "", implementation?.version ?? "", startedAt.slice(0, 10)],
      levelClaim(report).text,
      [`${counts.pass} of ${requirements.length} pass`, ...openCount(notImplemented)].join(", "),
      String(exceptionsOf(report).length || "-"),
    ];
  }),
});

/** The expected failures that are exceptions from levels. */
const exceptionsOf = ({ expectedFailures = [] }: ContractResult) =>
  expectedFailures.filter(({ state }) => state === "fails");

export const exceptionTable = (report: ContractResult): ReportTable => ({
  head: ["Exception", "Reason", "Owner", "Until"],
  rows: exceptionsOf(report).map(({ id, operation, case: name, reason = "-", owner = "-", until = "-" }) => [
    [id, operation, name].filter(Boolean).join(", "),
    ...[reason, owner, until],
  ]),
});

/** What each implementation claims with its reports, the latest first. */
export const matrixJson = (groups: readonly Group[]): string =>
  jsonText({
    format: 1,
    implementations: groups.flatMap(({ kind, implementations }) =>
      implementations.map(({ name, versions }) => ({ name, kind, versions: versions.map(claimOf) })),
    ),
  });
