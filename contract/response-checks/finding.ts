import { mapValues } from "../../lib/objects.ts";
import type { Fault } from "../exchange.ts";

/** The result of a response check: `failure` is absent if it passes. */
export interface ResponseFinding {
  ids: readonly string[];
  title: string;
  failure?: Failure;
}

/** False: there is nothing to compare. */
export type Findings = readonly (ResponseFinding | false)[];

export interface Failure {
  expected: string;
  found: string;
  /** Where two clients differ: a property, header, operation or characters; nothing for the whole. */
  at?: string;
  /** What is wrong with the response, if other checks can fail for the same reason. */
  fault?: Fault;
}

/** The comparisons of one file, each with its requirement and its title. */
export const comparing = <Name extends string>(rows: Record<Name, readonly [id: string, title: string]>) =>
  mapValues(rows, ([id, title]) => {
    const compare = (passes: boolean, expected: string, found: string, fault?: () => Fault) =>
      findingOf([id], title, passes, () => ({ expected, found, ...(fault && { fault: fault() }) }));
    return Object.assign(compare, { ids: [id], title });
  });

/** The result of a comparison whose requirements the document names. */
export const findingOf = (
  ids: readonly string[],
  title: string,
  passes: boolean,
  failure: Failure | (() => Failure),
): ResponseFinding =>
  passes ? { ids, title } : { ids, title, failure: typeof failure === "function" ? failure() : failure };
