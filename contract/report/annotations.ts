import { githubAnnotation } from "../../lib/text.ts";
import { brief } from "../text.ts";
import { coverageLine, isBelowThreshold, missingLine, verdictLine } from "./counts.ts";
import { byCheck, type ContractResult, failedCases } from "./result.ts";
import { ownSections, staleTitle } from "./sections.ts";

/** GitHub shows this many errors of a step. */
const maxErrors = 10;
/** Characters. */
const maxText = 300;

/** The report for the log of GitHub Actions: an error for each check that fails, as many as are shown, and a notice with the verdicts. */
export function annotationsReport(result: ContractResult): string {
  const failed = byCheck(failedCases(result).filter(({ isExpected }) => !isExpected));
  const { coverage } = result;
  const faults = ownSections(result)
    .filter(({ title, severity }) => severity === "error" || title === staleTitle)
    .flatMap(({ title, severity, groups }) =>
      groups.map(({ what, ids }) =>
        githubAnnotation(
          severity === "error" ? "error" : "warning",
          { title },
          `${brief(what, maxText)}\n${ids.join(" ")}`.trim(),
        ),
      ),
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
  return `${[...[...tooLow, ...faults, ...errors].slice(0, maxErrors), summary].join("\n")}\n`;
}
