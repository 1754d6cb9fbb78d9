import { githubAnnotation } from "../../lib/text.ts";
import { brief, inShort } from "../text.ts";
import { diagnose } from "./causes.ts";
import { coverageLine, isBelowThreshold, missingLine, openOf, verdictLine } from "./counts.ts";
import { type ContractResult, subjectOf } from "./result.ts";
import { ownSections } from "./sections.ts";

/** GitHub shows this many errors of a step. */
const maxErrors = 10;
/** Of a list. */
const maxItems = 12;
/** Characters. */
const maxText = 300;

/** The report for the log of GitHub Actions: an error for each finding, as many as are shown, and a notice with the verdicts. */
export function annotationsReport(result: ContractResult): string {
  const { coverage, notImplemented } = result;
  const sections = ownSections(result);
  const faults = sections
    .filter(({ kind, severity }) => severity === "error" || kind === "stale entries")
    .flatMap(({ title, severity, groups }) =>
      groups.map(({ what, ids = [], most }) => {
        const level = severity === "error" ? "error" : "warning";
        // A list that other reports show as a whole.
        const text = most === undefined ? brief(what, maxText) : inShort(what.split(", "), maxItems);
        return githubAnnotation(level, { title }, `${text}\n${ids.join(" ")}`.trim());
      }),
    );
  if (coverage !== undefined && isBelowThreshold(result)) {
    const text = `${coverageLine(coverage)}\n${missingLine(coverage)}`.trim();
    faults.unshift(githubAnnotation("error", { title: "Coverage" }, text));
  }
  const errors = diagnose(result).map(({ cause, first, ids: all }) => {
    const { ids, check, title, expected, found } = first;
    const others = all.filter((id) => !ids.includes(id)).join(", ");
    const also = others && `also fails: ${others}`;
    const lines = [cause, title, `expected: ${expected}`, `found: ${found}`, also];
    const text = lines.flatMap((line) => (line ? [brief(line, maxText)] : [])).join("\n");
    return githubAnnotation("error", { title: `${ids.join(" ")} ${check}` }, text);
  });
  // It follows from what the configuration declares, so that it is no warning of every run.
  const open = sections.find(({ kind }) => kind === "outside");
  const reasons = open?.groups.map(({ what, ids = [] }) => `${what} ${ids.join(" ")}`.trim());
  const notTested = open ? `\n${open.title}: ${inShort(reasons ?? [], maxItems)}` : "";
  const name = result.implementation ? `${subjectOf(result)}: ` : "";
  const verdicts = name + verdictLine(result) + openOf(notImplemented) + notTested;
  const summary = githubAnnotation("notice", { title: "email-api-contract" }, verdicts);
  return `${[...[...faults, ...errors].slice(0, maxErrors), summary].join("\n")}\n`;
}
