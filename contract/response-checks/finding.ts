import type { Fault } from "../exchange.ts";

/** The result of a response check: `failure` is absent if it passes. */
export interface ResponseFinding {
  ids: readonly string[];
  title: string;
  failure?: Failure;
}

/** False: there is nothing to compare. */
export type Findings = readonly (ResponseFinding | false)[];

interface Failure {
  expected: string;
  found: string;
  /** What is wrong with the response, if other checks can fail for the same reason. */
  fault?: Fault;
}

/**
 * The results of the comparisons of one file.
 * @param checks the requirements of the comparisons, by title
 */
export const comparing =
  <Title extends string>(checks: Readonly<Record<Title, string>>) =>
  (title: Title, passes: boolean, expected: string, found: string, fault?: () => Fault): ResponseFinding =>
    findingOf([checks[title]], title, passes, () => ({ expected, found, ...(fault && { fault: fault() }) }));

/** The result of a comparison whose requirements the document names. */
export const findingOf = (
  ids: readonly string[],
  title: string,
  passes: boolean,
  failure: Failure | (() => Failure),
): ResponseFinding =>
  passes ? { ids, title } : { ids, title, failure: typeof failure === "function" ? failure() : failure };
