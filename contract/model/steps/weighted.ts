import fc, { type Arbitrary } from "fast-check";

/** Steps of a kind, and how often they occur. */
export interface Weighted<Step> {
  weight: number;
  arbitrary: Arbitrary<Step>;
}

/** The number of a message, a list or a request, counted round those that exist. */
export const number = fc.nat({ max: 9 });

export const keyed = fc.boolean();

/**
 * Each of these values in turn, so that few sequences have all of them; the first one is the simplest.
 *
 * @param start where to begin: another number for each sequence
 */
export function inTurn<One>(all: readonly One[], start: number): Arbitrary<One> {
  let next = start;
  return fc.constant(null).map(() => {
    next += 1;
    return all[next % all.length] as One;
  });
}
