import fc, { Arbitrary, type Stream, Value } from "fast-check";

/** Steps of a kind, and how often they occur. */
export interface Weighted<Step> {
  weight: number;
  arbitrary: Arbitrary<Step>;
}

/** The number of a message, a list or a request, counted round those that exist. */
export const number = fc.nat({ max: 9 });

export const keyed = fc.boolean();

/** Values in turn, so that few sequences have all of them. */
class InTurn<One> extends Arbitrary<One> {
  readonly #all: readonly One[];
  readonly #any: Arbitrary<One>;
  #next: number;

  constructor(all: readonly One[], start: number) {
    super();
    this.#all = all;
    this.#any = fc.constantFrom(...all);
    this.#next = start;
  }

  generate(): Value<One> {
    this.#next += 1;
    return new Value(this.#all[this.#next % this.#all.length] as One, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is One {
    return this.#any.canShrinkWithoutContext(value);
  }

  shrink(value: One): Stream<Value<One>> {
    return this.#any.shrink(value, undefined);
  }
}

/**
 * Each of these values in turn; the first one is the simplest.
 *
 * @param start where to begin: another number for each sequence
 */
export const inTurn = <One>(all: readonly One[], start: number): Arbitrary<One> => new InTurn(all, start);
