import { usageError } from "../../lib/user-error.ts";
import { brief, capitalized } from "../text.ts";
import { contradictionIn, isOfThisVersion } from "./contradictions.ts";
import { levelFacts, openCount, type ReportTable, scopeOf, verdictLine } from "./counts.ts";
import { assertPublic, isExpired } from "./expected.ts";
import { jsonText, readReport } from "./json.ts";
import { levelClaim } from "./levels.ts";
import { escaped, withCode } from "./markdown.ts";
import { claimOf, publishedReport } from "./publish.ts";
import { type ContractResult, failedCases, type RequirementVerdict, verdictsOf } from "./result.ts";

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

const day = 24 * 60 * 60 * 1000;

/**
 * Reads published reports.
 * @param ofClients the requirements that the client suite verifies
 * @throws UserError with exit code 2 if a file is not a report, names no implementation, has no date or one after tomorrow, contradicts itself, is
 * the same report as another one, or has an exception without a reason, an owner and a day
 */
export function readMatrix(files: readonly string[], ofClients: ReadonlySet<string>): Group[] {
  const known = new Map<string, string>();
  const reports = files.map((file) => {
    const report = readReport(file, hint);
    const lack = (what: string) => usageError(`${file} ${what}`, hint);
    const { implementation, startedAt, client, expectedFailures = [] } = report;
    if (implementation === undefined) throw lack("does not say which implementation it is about");
    const time = Date.parse(startedAt);
    if (Number.isNaN(time)) throw lack(`has no date in startedAt (got "${startedAt}")`);
    if (time > Date.now() + day) throw lack(`has a day after tomorrow in startedAt (got "${startedAt}")`);
    assertPublic(expectedFailures, `${file}: `);
    const contradiction = contradictionIn(report, ofClients);
    if (contradiction !== undefined) throw lack(contradiction);
    const name = JSON.stringify([implementation.name, time, client === undefined]);
    const other = known.get(name);
    if (other !== undefined) throw lack(`is the same report as ${other}`);
    known.set(name, file);
    return report;
  });
  return matrixOf(reports);
}

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
  return [
    ...[implementation?.contact, capitalized(scopeOf(report)), startedAt.slice(0, 10)],
    ...[`${tool.name} ${tool.version}`, document && `document ${document.version}`],
  ].filter((fact) => fact !== undefined);
};

/** The level of a report. That of another version of the suite or the document cannot be computed from its verdicts: it is neither good nor bad. */
export function claimIn(report: ContractResult) {
  const { text, state } = levelClaim(report);
  if (isOfThisVersion(report) || state === "fail") return { text, state };
  return { text: `${text}, as stated`, state: "stated" } as const;
}

/** A line for each report: of the implementations, or the versions of one. */
export const claimTable = (reports: readonly ContractResult[]): ReportTable => ({
  head: ["Implementation", "Version", "Date", "Level", "Requirements", "Exceptions"],
  rows: reports.map((report) => {
    const { implementation, startedAt, counts, requirements, notImplemented } = report;
    return [
      ...[implementation?.name ?? "", implementation?.version ?? "", startedAt.slice(0, 10)],
      claimIn(report).text,
      [`${counts.pass} of ${requirements.length} pass`, ...openCount(notImplemented)].join(", "),
      String(counts.expectedFailure || "-"),
    ];
  }),
});

/** The entries of expected failures that are exceptions from levels: of a requirement, there can be several. */
export const exceptionTable = ({ expectedFailures = [] }: ContractResult): ReportTable => ({
  head: ["Exception", "Reason", "Owner", "Until"],
  rows: expectedFailures.flatMap((entry) => {
    const { id, operation, case: name, reason = "-", owner = "-", until = "-", state } = entry;
    const last = isExpired(entry) ? `${until}, over` : until;
    return state === "fails" ? [[[id, operation, name].filter(Boolean).join(", "), reason, owner, last]] : [];
  }),
});

/** What each implementation claims with its reports, the latest first. */
export const matrixJson = (groups: readonly Group[]): string =>
  jsonText({
    format: 1,
    implementations: groups.flatMap(({ kind, implementations }) =>
      implementations.map(({ name, versions }) => ({ name, kind, versions: versions.map(claimOf) })),
    ),
  });

/** Characters of what was expected and found. */
const maxText = 200;

/** The matrix in Markdown. Requirements that all implementations pass are only counted. */
export const matrixMarkdown = (groups: readonly Group[]): string => `# Conformance\n\n${matrixText(groups)}`;

/** The matrix without its title. @param linked an id of a requirement, as a link if there is a page with it */
export const matrixText = (groups: readonly Group[], linked = (id: string): string => id): string =>
  `${[
    ...groups.flatMap((group) => groupText(group, linked)),
    ...groups.flatMap(({ implementations }) => implementations).flatMap(implementationText),
  ].join("\n\n")}\n`;

function groupText({ kind, implementations, topics }: Group, linked: (id: string) => string): string[] {
  const isClear = (one: Implementation, id: string) =>
    ["pass", "outside the run"].includes(verdictIn(one, id));
  const rows = topics.flatMap(({ topic, requirements }) => {
    const open = requirements.filter(({ id }) => !implementations.every((one) => isClear(one, id)));
    return [
      [`**${escaped(topic)}**`, ...implementations.map((one) => passedIn(one, requirements))],
      ...open.map(({ id }) => [
        linked(id),
        ...implementations.map((one) => {
          const verdict = verdictIn(one, id);
          return isClear(one, id) ? verdict.replace("outside the run", "") : linkTo(one, verdict, `-${id}`);
        }),
      ]),
    ];
  });
  const claims = claimTable(implementations.map(({ report }) => report));
  const linkedClaims = claims.rows.map(([name, ...cells], index) => [
    ...implementations.slice(index, index + 1).map((one) => linkTo(one, name)),
    ...cells.map(escaped),
  ]);
  return [
    `## ${capitalized(kind)}s`,
    table({ head: claims.head, rows: linkedClaims }),
    table({ head: ["Topic", ...implementations.map((one) => linkTo(one))], rows }),
  ];
}

/** @param part of the anchor: the requirement, for what is said of it */
const linkTo = ({ id, name }: Implementation, text = name, part = ""): string =>
  `[${escaped(text)}](#${id}${part})`;

/** Levels, exceptions, earlier versions, and what does not pass. */
function implementationText({ id, name, version, url, report, versions }: Implementation): string[] {
  const failures = failedCases(report);
  const open = report.requirements.filter(({ verdict }) => verdict !== "pass");
  const rows = open.map(({ id: own, verdict, reason = "" }) => {
    const { expected, found } = failures.find(({ ids }) => ids.includes(own)) ?? {};
    const [whole, one] = [expected, found].map((text = "") => asValue(brief(text, maxText / 2)));
    const shown = found === undefined ? brief(reason, maxText) : `expected ${whole}; found ${one}`;
    return [`<a id="${id}-${own}"></a>${own}`, verdict, withCode(shown)];
  });
  return [
    `## <a id="${id}"></a>${escaped(`${name} ${version}`)}`,
    [verdictLine(report), ...(url === undefined ? [] : [url]), ...factsOf(report)].map(escaped).join(" · "),
    levelFacts(report)
      .map((text) => `- ${escaped(text)}`)
      .join("\n"),
    ...section(exceptionTable(report)),
    ...(versions.length > 1 ? section(claimTable(versions)) : []),
    ...(rows.length > 0 ? [table({ head: ["Requirement", "Verdict", "Why"], rows })] : []),
  ].filter((text) => text !== "");
}

/** Sites change quotation marks outside code. */
const asValue = (text: string): string => (text.includes('"') ? `\`${text}\`` : text);

const section = ({ head, rows }: ReportTable): string[] =>
  rows.length === 0 ? [] : [table({ head, rows: rows.map((row) => row.map(withCode)) })];

const table = ({ head, rows }: ReportTable): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
