import fc, { type Arbitrary } from "fast-check";

/** Steps of a kind, and how often they occur. */
export interface Weighted<Step> {
  weight: number;
  arbitrary: Arbitrary<Step>;
}

/** The number of a message, a list or a request, counted round those that exist. */
export const number = fc.nat({ max: 9 });
export const keyed = fc.boolean();
