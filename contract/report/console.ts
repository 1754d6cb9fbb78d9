import { styleText } from "node:util";
import { count } from "../../lib/count.ts";
import { plainTable } from "../../lib/table.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { atMost, brief, duration, visible } from "../text.ts";
import { baselineSection } from "./baseline.ts";
import { diagnose } from "./causes.ts";
import { causes, failures } from "./console-failures.ts";
import { checkedMessage, exitLine, scopeOf, topicColumns, verdictLine } from "./counts.ts";
import {
  coverageColumns,
  coverageLine,
  coverageRows,
  incompleteKinds,
  isBelowThreshold,
  missingItems,
} from "./coverage.ts";
import type { ContractResult } from "./result.ts";
import type { Group, Section } from "./section.ts";
import { sectionsOf } from "./sections.ts";

/** Of a section; the other reports have all. */
const maxLines = { error: 40, warning: 40, information: 12 } as const;
/** Of each kind; the other reports have all. */
const maxMissing = 8;
/** Of more operations that lack a status, only the number is shown. */
const maxOperations = 2;
/** Requirements with a line of their own. */
const maxListed = 10;
/** Characters of a sentence, such as that of a requirement. */
const maxText = 300;

/** The result for a terminal of 80 columns. */
export function consoleText(result: ContractResult): string {
  const diagnosis = diagnose(result);
  return [
    ...causes(diagnosis),
    topics(result),
    ...failures(result, diagnosis),
    ...sectionsOf(result).map(section),
    ...coverage(result),
    ...verdicts(result),
    summary(result),
  ].join("\n\n");
}

/** What the tests exercised, and the first of what they did not. */
function coverage({ coverage: found }: ContractResult): string[] {
  if (found === undefined) return [];
  const rows = coverageRows(found);
  const missing = incompleteKinds(found).map((one) =>
    wrapped(`- ${one.kind}: ${atMost(missingItems(one, maxOperations), maxMissing, "").join("; ")}`, "  "),
  );
  return [
    plainTable({
      head: coverageColumns,
      widths: [20, 9, 6, 10],
      align: ["left", "right", "right", "right"],
      rows,
    }),
    ...(missing.length === 0 ? [] : [["Not covered:", ...missing].join("\n")]),
    styleText(isBelowThreshold({ coverage: found }) ? "red" : "reset", wrapped(`${coverageLine(found)}.`)),
  ];
}

/** The comparison of a result with its baseline. */
export const comparisonText = (result: ContractResult): string =>
  [...failures(result, diagnose(result)), ...baselineSection(result).map(section), summary(result)].join(
    "\n\n",
  );

function topics(result: ContractResult): string {
  const columns = topicColumns(result);
  return plainTable({
    head: ["Topic", ...columns.map(({ title }) => title)],
    widths: [20, ...columns.map(({ title }) => Math.max(6, title.length + 2))],
    align: ["left", ...columns.map(() => "right" as const)],
    rows: result.byTopic.map((row) => [row.topic, ...columns.map(({ of }) => String(row[of] || "-"))]),
  });
}

/** The requirements of few checks, such as those that `--grep` selects: in the table, those of every response outnumber them. */
function verdicts(result: ContractResult): string[] {
  const { checks, requirements } = result;
  const ids = new Set(checks.flatMap((check) => check.ids));
  const own = requirements.filter(({ id }) => ids.has(id));
  if (own.length === 0 || own.length > maxListed) return [];
  const lines = own.map(({ id, verdict, text }) =>
    wrapped(`- ${id} ${verdict}: ${brief(text, maxText)}`, "  "),
  );
  const others =
    own.length < requirements.length ? `; the others apply to every ${checkedMessage(result)}` : "";
  return [[`Requirements of these checks${others}:`, ...lines].join("\n")];
}

const colours = { error: "red", warning: "yellow", information: "reset" } as const;

function section({ title, severity, groups }: Section): string {
  const lines = groups.map(({ what, ids, detail }) => {
    if (what === "") return wrapped(`  ${ids.join(", ")}`, "  ");
    if (title === "Errors") return errorLines({ what, ids, detail: detail ?? [] });
    return wrapped(`- ${brief(what, maxText)}${ids.length === 0 ? "" : `: ${ids.join(", ")}`}`, "  ");
  });
  return [styleText(colours[severity], wrapped(`${title}:`)), ...atMost(lines, maxLines[severity])].join(
    "\n",
  );
}

/** An error, its requirements, and what it shows. */
const errorLines = ({ what, ids, detail }: Required<Pick<Group, "what" | "ids" | "detail">>): string =>
  [
    wrapped(`- ${brief(what, maxText)}.`, "  "),
    wrapped(`  ${count(ids.length, "requirement")}: ${ids.join(", ")}`, "  "),
    ...detail.map((line) => wrapped(`  ${visible(line)}`, "    ")),
  ].join("\n");

function summary(result: ContractResult): string {
  const { baseUrl, client, requests, durationMilliseconds, waitedMilliseconds, exitCode } = result;
  const colour = exitCode === 1 ? "red" : exitCode === 0 ? "green" : "yellow";
  const waited = waitedMilliseconds > 0 ? `, ${duration(waitedMilliseconds)} waiting for the rate limit` : "";
  const run = `${client?.name ?? baseUrl}, ${scopeOf(result)}, ${count(requests, "request")}, ${duration(durationMilliseconds)}${waited}.`;
  const others = result.notTested.length;
  const outside =
    others === 0
      ? ""
      : ` ${count(others, "requirement is", "requirements are")} outside the run (the HTML and JSON reports say why).`;
  return [
    styleText(colour, wrapped(`${verdictLine(result)}.`)),
    wrapped(run + outside),
    wrapped(exitLine(result)),
  ].join("\n");
}
