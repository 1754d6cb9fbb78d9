import { brief, capitalized } from "../text.ts";
import { levelFacts, type ReportTable, verdictLine } from "./counts.ts";
import { escaped } from "./markdown.ts";
import {
  claimTable,
  exceptionTable,
  factsOf,
  type Group,
  type Implementation,
  passedIn,
  verdictIn,
} from "./matrix.ts";
import { failedCases } from "./result.ts";

/** Characters of what was expected and found. */
const maxText = 200;
/** Requirements of an implementation that do not pass. */
const maxRows = 100;

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
          return isClear(one, id) ? verdict.replace("outside the run", "") : linkTo(one, verdict);
        }),
      ]),
    ];
  });
  const claims = claimTable(implementations.map(({ report }) => report));
  return [
    `## ${capitalized(kind)}s`,
    ...section(claims),
    table({ head: ["Topic", ...implementations.map((one) => linkTo(one))], rows }),
  ];
}

const linkTo = ({ id, name }: Implementation, text = name): string => `[${escaped(text)}](#${id})`;

/** Levels, exceptions, earlier versions, and what does not pass. */
function implementationText({ id, name, version, url, report, versions }: Implementation): string[] {
  const failures = failedCases(report);
  const open = report.requirements.filter(
    ({ verdict }) => verdict !== "pass" && verdict !== "expected failure",
  );
  const rows = open.slice(0, maxRows).map(({ id: own, verdict, reason = "" }) => {
    const { expected, found } = failures.find(({ ids }) => ids.includes(own)) ?? {};
    const shown = found === undefined ? reason : `expected ${expected}; found ${found}`;
    return [own, verdict, brief(shown, maxText)];
  });
  const facts = [verdictLine(report), ...(url === undefined ? [] : [url]), ...factsOf(report)];
  return [
    `## <a id="${id}"></a>${escaped(`${name} ${version}`)}`,
    facts.map(escaped).join(" · "),
    levelFacts(report)
      .map((text) => `- ${escaped(text)}`)
      .join("\n"),
    ...section(exceptionTable(report)),
    ...(versions.length > 1 ? section(claimTable(versions)) : []),
    ...section({ head: ["Requirement", "Verdict", "Why"], rows }),
  ].filter((text) => text !== "");
}

const section = ({ head, rows }: ReportTable): string[] =>
  rows.length === 0 ? [] : [table({ head, rows: rows.map((row) => row.map(escaped)) })];

const table = ({ head, rows }: ReportTable): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
