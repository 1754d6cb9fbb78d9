import type { CaseOutcome } from "../../../contract/engine/outcome.ts";

/** Everything except passes. */
export const falsePositives = (outcomes: CaseOutcome[]): string[] => [
  ...outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, check, title, verdict, reason, failure }) => {
      const why = failure === undefined ? reason : `expected ${failure.expected}, got ${failure.found}`;
      return `${verdict}: ${ids.join(" ")} ${check} (${title}): ${why}`;
    }),
  ...outcomes.flatMap(({ responseChecks }) =>
    responseChecks.flatMap(({ ids, title, failures }) =>
      failures.map(({ expected, found }) => `${ids.join(" ")} ${title}: expected ${expected}, got ${found}`),
    ),
  ),
];
