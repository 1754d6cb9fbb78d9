import { githubAnnotation } from "../../lib/text.ts";
import { brief } from "../text.ts";
import { diagnose } from "./causes.ts";
import { coverageLine, isBelowThreshold, missingLine, verdictLine } from "./counts.ts";
import type { ContractResult } from "./result.ts";
import { ownSections, staleTitle } from "./sections.ts";

/** GitHub shows this many errors of a step. */
const maxErrors = 10;
/** Characters. */
const maxText = 300;

/** The report for the log of GitHub Actions: an error for each finding, as many as are shown, and a notice with the verdicts. */
export function annotationsReport(result: ContractResult): string {
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
  return `${[...[...tooLow, ...faults, ...errors].slice(0, maxErrors), summary].join("\n")}\n`;
}
