/** The result of a response check: `failure` is absent if it passes. */
export interface ResponseFinding {
  ids: readonly string[];
  title: string;
  failure?: Failure;
}

interface Failure {
  expected: string;
  found: string;
}

/** @param failure what to say if it does not pass; a function if that takes long to find out */
export const finding = (
  ids: readonly string[],
  title: string,
  passes: boolean,
  failure: Failure | (() => Failure),
): ResponseFinding =>
  passes ? { ids, title } : { ids, title, failure: typeof failure === "function" ? failure() : failure };
