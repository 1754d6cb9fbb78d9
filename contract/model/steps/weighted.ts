import { isDeepStrictEqual } from "node:util";
import fc, { Arbitrary, type Random, Stream, Value } from "fast-check";

/** What the arbitraries of steps generate. */
export type Generated<Step> = Step extends { arbitrary: Arbitrary<infer One> } ? One : never;

/** Steps of a kind, and how often they occur. */
export const step = <Kind extends string, Properties extends object>(
  weight: number,
  kind: Kind,
  properties: { [Name in keyof Properties]: Arbitrary<Properties[Name]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(kind), ...properties }) as Arbitrary<{ do: Kind } & Properties>,
});

/** Some of the values of `fc.oneof`. */
export const some = <const One>(weight: number, ...values: One[]) => ({
  weight,
  arbitrary: fc.constantFrom(...values),
});

/** The number of a message, a list or a request, counted round those that exist. */
export const number = fc.nat({ max: 9 });

class Toward<One> extends Arbitrary<One> {
  readonly #simplest: One;
  readonly #all: Arbitrary<One>;

  constructor(simplest: One, all: Arbitrary<One>) {
    super();
    this.#simplest = simplest;
    this.#all = all;
  }

  override generate(random: Random, bias: number | undefined): Value<One> {
    return new Value(this.#all.generate(random, bias).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is One {
    return isDeepStrictEqual(value, this.#simplest) || this.#all.canShrinkWithoutContext(value);
  }

  override shrink(value: One): Stream<Value<One>> {
    if (isDeepStrictEqual(value, this.#simplest)) return Stream.nil();
    return Stream.of(new Value(this.#simplest, undefined)).join(this.#all.shrink(value, undefined));
  }
}

/** Values of which one is the simplest: that is tried first to make a step simpler. */
export const toward = <const Simplest, One>(simplest: Simplest, all: Arbitrary<One>) =>
  new Toward<Simplest | One>(simplest, all);

/**
 * Each of these values in turn, so that few sequences have all of them; the first one is the simplest.
 * @param start where to begin: another number for each sequence
 */
export function inTurn<One>(all: readonly One[], start: number): Arbitrary<One> {
  let next = start;
  const inOrder = fc.constant(null).map(
    () => {
      next += 1;
      return all[next % all.length] as One;
    },
    (value) => {
      if (!all.includes(value as One)) throw new Error("another value");
      return null;
    },
  );
  return toward(all[0] as One, inOrder);
}
