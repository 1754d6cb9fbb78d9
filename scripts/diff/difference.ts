import type { SourcePlace } from "../document/locate.ts";
import type { Verdict } from "./policy.ts";

/** One difference between two bundles, judged. */
export interface Difference {
  kind: string;
  verdict: Verdict;
  /** What differs, in one sentence. */
  what: string;
  /** Where, as a JSON pointer into the newer bundle, or into the older one where it is there no longer. */
  pointer: string;
  side: "old" | "new";
  /** The same place in the sources of the newer document; the nearest that is left where it is gone. */
  place?: SourcePlace;
  /** The promise that the verdict follows from. */
  requirement: string;
  /** The promises that the place says by itself (`x-encodes`). */
  promises: string[];
  /** What to do. */
  instead: string;
  /** The operations that it concerns, by id. */
  operations: string[];
  /** The checks of oasdiff that found it too. */
  seenBy: string[];
}

/** All differences between two bundles, the breaking ones first. */
export interface Comparison {
  differences: Difference[];
  counts: Record<Verdict, number>;
}

const order: Verdict[] = ["breaking", "allowed", "editorial"];

/** Which of two verdicts weighs more, as for sorting. */
export const byWeight = (one: Verdict, other: Verdict): number => order.indexOf(one) - order.indexOf(other);

/** The differences in order, with how many there are of each verdict. */
export function comparisonOf(differences: Difference[]): Comparison {
  const counts = { breaking: 0, allowed: 0, editorial: 0 };
  for (const { verdict } of differences) counts[verdict] += 1;
  const sorted = differences.toSorted(
    (one, other) =>
      byWeight(one.verdict, other.verdict) ||
      (one.pointer < other.pointer ? -1 : one.pointer > other.pointer ? 1 : 0),
  );
  return { differences: sorted, counts };
}
