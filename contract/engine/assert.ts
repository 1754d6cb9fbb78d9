import type { Exchange } from "../exchange.ts";

/** The server does not meet a requirement. */
export class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
  declare readonly expected: string;
  declare readonly found: string;
  /** The first exchange that leads to it; default: `exchange`. */
  declare readonly since: Exchange | undefined;
  /** Of the random sequence of requests that shows it. */
  declare readonly seed: number | undefined;
  readonly exchange: Exchange | undefined;
  /** The requirements that are not met, if they are not all those of the check. */
  readonly ids: readonly string[] | undefined;

  constructor(
    exchange: Exchange | undefined,
    failure: Pick<AssertionFailure, "expected" | "found"> & Partial<Pick<AssertionFailure, "since" | "seed">>,
    ids?: readonly string[],
  ) {
    super(`expected ${failure.expected}, got ${failure.found}`);
    Object.assign(this, failure);
    this.exchange = exchange;
    this.ids = ids;
  }
}

/** A requirement cannot be tested: a fixture or a hook is missing, or the operation is not part of the run. */
export class NotVerified extends Error {
  override readonly name = "NotVerified";
  /** The requirements that cannot be tested, if they are not all those of the check. */
  declare readonly ids: readonly string[] | undefined;
  /** The settings that are missing, or the operation that the driver of a client lacks, if that is why. */
  declare readonly needs: readonly string[] | undefined;

  constructor(message: string, about: Partial<Pick<NotVerified, "ids" | "needs">> = {}) {
    super(message);
    Object.assign(this, about);
  }
}

/** A test case needs an operation that the configuration takes out of the run: it has no outcome. */
export class OutsideRun extends NotVerified {
  readonly operation: string;

  constructor(operation: string) {
    super(`The configuration says that ${operation} is not implemented.`);
    this.operation = operation;
  }
}

/** What is done if the run has all operations that it needs; undefined if not. */
export const ifInRun = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof OutsideRun) return undefined;
    throw error;
  });

/** In place of a response that needs an operation outside the run: looking at it throws `OutsideRun`. */
export function unknownExchange(operation: string): Exchange {
  const fail = (): never => {
    throw new OutsideRun(operation);
  };
  // `await` looks for `then`.
  const get = (_: Exchange, name: PropertyKey) => (name === "then" ? undefined : fail());
  return new Proxy({} as Exchange, { get, has: fail, ownKeys: fail });
}

/** @throws AssertionFailure unless the condition holds */
export function assert(
  condition: boolean,
  exchange: Exchange | undefined,
  failure: { expected: string; found: string },
): asserts condition {
  if (!condition) throw new AssertionFailure(exchange, failure);
}

/**
 * A fixture that a check needs.
 * @param name its name in the configuration
 * @throws NotVerified if it is not configured
 */
export function configured<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new NotVerified(`${name} is not configured.`, { needs: [name] });
  return value;
}
