import { githubAnnotation } from "../../lib/text.ts";
import { brief } from "../text.ts";
import { coverageLine, isBelowThreshold, missingLine, verdictLine } from "./counts.ts";
import { byCheck, type ContractResult, failedCases } from "./result.ts";

/** GitHub shows this many errors of a step. */
const maxErrors = 10;
/** Characters. */
const maxText = 300;

/** The report for the log of GitHub Actions: an error for each check that fails, as many as are shown, and a notice with the verdicts. */
export function annotationsReport(result: ContractResult): string {
  const failed = byCheck(failedCases(result).filter(({ isExpected }) => !isExpected));
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
  const errors = failed.map(([{ ids, check, title, expected, found }]) =>
    githubAnnotation(
      "error",
      { title: `${ids.join(" ")} ${check}` },
      `${title === "" ? "" : `${brief(title, maxText)}\n`}expected: ${brief(expected, maxText)}\nfound: ${brief(found, maxText)}`,
    ),
  );
  const summary = githubAnnotation("notice", { title: "email-api-contract" }, verdictLine(result));
  return `${[...[...tooLow, ...stale, ...errors].slice(0, maxErrors), summary].join("\n")}\n`;
}
