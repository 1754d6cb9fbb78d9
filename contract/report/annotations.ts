import { githubAnnotation } from "../../lib/text.ts";
import { brief } from "../text.ts";
import { diagnose } from "./causes.ts";
import { coverageLine, isBelowThreshold, missingLine, verdictLine } from "./counts.ts";
import type { ContractResult } from "./result.ts";

/** GitHub shows this many errors of a step. */
const maxErrors = 10;
/** Characters. */
const maxText = 300;

/** The report for the log of GitHub Actions: an error for each finding, as many as are shown, and a notice with the verdicts. */
export function annotationsReport(result: ContractResult): string {
  const { baseline, coverage, traffic, stale: entries } = result;
  // Traffic may only lack what shows the failure.
  const [level, where] =
    traffic === undefined ? (["error", ""] as const) : (["warning", " in the traffic"] as const);
  // With a baseline, only new failures fail.
  const stale = (baseline === undefined ? entries : []).map((id) =>
    githubAnnotation(level, { title: id }, `An expected failure passes${where}: remove it from the list.`),
  );
  const tooLow: string[] = [];
  if (coverage !== undefined && isBelowThreshold(result)) {
    const lines = [coverageLine(coverage), missingLine(coverage)].filter((line) => line !== "");
    tooLow.push(githubAnnotation("error", { title: "Coverage" }, lines.join("\n")));
  }
  const errors = diagnose(result).findings.map(({ cause, cases: [first], ids: all }) => {
    const { ids, check, title, expected, found } = first;
    const others = all.filter((id) => !ids.includes(id));
    const lines = [
      ...[cause ?? "", title].filter((text) => text !== ""),
      `expected: ${expected}`,
      `found: ${found}`,
      ...(others.length === 0 ? [] : [`also fails: ${others.join(", ")}`]),
    ];
    const text = lines.map((line) => brief(line, maxText)).join("\n");
    return githubAnnotation("error", { title: `${ids.join(" ")} ${check}` }, text);
  });
  const summary = githubAnnotation("notice", { title: "email-api-contract" }, verdictLine(result));
  return `${[...[...tooLow, ...stale, ...errors].slice(0, maxErrors), summary].join("\n")}\n`;
}
