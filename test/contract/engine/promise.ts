import type { Exchange } from "./exchange.ts";

/** The server broke a promise. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
  readonly expected: string;
  readonly found: string;
  readonly exchange: Exchange | undefined;

  constructor(exchange: Exchange | undefined, { expected, found }: { expected: string; found: string }) {
    super(`expected: ${expected}; found: ${found}`);
    this.expected = expected;
    this.found = found;
    this.exchange = exchange;
  }
}

/** Something is missing to verify a promise with: a fixture, a hook, a call that is not tried here. */
export class NotVerified extends Error {
  override readonly name = "NotVerified";
}

/** @throws BrokenPromise unless it holds */
export function must(
  holds: boolean,
  exchange: Exchange | undefined,
  words: { expected: string; found: string },
): asserts holds {
  if (!holds) throw new BrokenPromise(exchange, words);
}

/**
 * A fixture that a check cannot do without.
 *
 * @param name how the configuration calls it
 * @throws NotVerified where it is not configured
 */
export function given<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new NotVerified(`${name} is not configured.`);
  return value;
}
