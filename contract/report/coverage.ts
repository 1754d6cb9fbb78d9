import { count } from "../../lib/count.ts";
import { capitalized } from "../text.ts";
import type { ContractResult, CoverageOfKind, CoverageResult } from "./result.ts";

/** Rounded down: only everything is 100. */
export const percentOf = ({ covered, total }: Pick<CoverageResult, "covered" | "total">): number =>
  total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10;

/** Whether a threshold is set and not reached. */
export const isBelowThreshold = ({ coverage }: Pick<ContractResult, "coverage">): boolean =>
  coverage?.threshold !== undefined && percentOf(coverage) < coverage.threshold;

/** `Coverage 84.2 % (412 of 489), threshold 90 %`. */
export function coverageLine(coverage: CoverageResult): string {
  const { covered, total, threshold } = coverage;
  const required = threshold === undefined ? "" : `, threshold ${threshold} %`;
  return `Coverage ${percentOf(coverage)} % (${covered} of ${total})${required}`;
}

/** The most names of what is missing in one line. */
const mostNamed = 5;

/** `Missing: getMe, sendEmail 413 and 70 more`; empty if nothing is missing. */
export function missingLine(coverage: CoverageResult): string {
  const missing = incompleteKinds(coverage).flatMap((one) => one.missing);
  const others = missing.length - mostNamed;
  const named = missing.slice(0, mostNamed).join(", ");
  return missing.length === 0 ? "" : `Missing: ${named}${others > 0 ? ` and ${others} more` : ""}`;
}

export const coverageColumns = ["Coverage", "Covered", "Of", "Percent"];

/** The rows of the table, those of the kinds and that of all. */
export function coverageRows({ kinds, ...all }: CoverageResult): string[][] {
  const row = (title: string, one: Pick<CoverageOfKind, "covered" | "total">): string[] => [
    title,
    ...[one.covered, one.total].map(String),
    `${percentOf(one).toFixed(1)} %`,
  ];
  return [...kinds.map((one) => row(capitalized(one.kind), one)), row("All", all)];
}

/** The kinds that lack something, but for requirements: the list of those that are not verified has them. */
export const incompleteKinds = ({ kinds }: CoverageResult): CoverageOfKind[] =>
  kinds.filter(({ kind, missing }) => kind !== "requirements" && missing.length > 0);

/**
 * What is missing of a kind, in fewer lines: a status or an error with all operations that lack it, `402 no_plan: sendEmail, sendBatch`.
 * @param most of more operations than these, only the number is shown: `401 unauthorized: 10 operations`
 */
export function missingItems({ kind, missing }: CoverageOfKind, most = Number.POSITIVE_INFINITY): string[] {
  if (kind !== "statuses" && kind !== "errors") return [...missing];
  const groups = Map.groupBy(missing, (label) => partsOf(label).what);
  return [...groups].map(([what, labels]) => {
    const operations = labels.map((label) => partsOf(label).operation);
    return `${what}: ${operations.length > most ? count(operations.length, "operation") : operations.join(", ")}`;
  });
}

/** The operation of a label, or `any path`, and what follows it. */
function partsOf(label: string): { operation: string; what: string } {
  const [, operation = "", what = label] = /^(any path|\w+):? (.*)$/.exec(label) ?? [];
  return { operation, what };
}

/** How the percentage of all is computed. */
export const coverageNote =
  "All is the sum of the kinds. Statuses and errors from 500 on, technical limits and what is unspecified do not count.";
