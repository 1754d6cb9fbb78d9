import { isDeepStrictEqual } from "node:util";
import { format } from "../support/assertions.ts";

export type Ids = readonly string[];

/** A comparison of something in a response with what the requirements determine; `failure` is absent if it passes. */
export interface Finding {
  /** The requirements that a failure violates. */
  ids: Ids;
  /** Those that it verifies if it passes; default: all. Without them it could not have failed, or for another reason only. */
  proven?: Ids;
  failure?: { expected: string; found: string };
}

/** Anything that is determined. */
export const expects = (ids: Ids, passes: boolean, expected: string, found: string): Finding =>
  passes ? { ids } : { ids, failure: { expected, found } };

/** A comparison that verifies requirements (default: all of its own) only on a condition: otherwise it cannot fail for them. */
export const provenIf = (condition: boolean, finding: Finding, ids: Ids = finding.ids): Finding =>
  condition
    ? finding
    : { ...finding, proven: (finding.proven ?? finding.ids).filter((id) => !ids.includes(id)) };

/** A property with a determined value. */
export const equals = (ids: Ids, name: string, found: unknown, expected: unknown): Finding =>
  oneOf(ids, name, found, [expected]);

/** A property with one of several values, or with a time within a period. */
export function oneOf(ids: Ids, name: string, found: unknown, values: readonly unknown[]): Finding {
  const passes = values.some((value) =>
    typeof value === "function" ? value(found) : value === found || isDeepStrictEqual(found, value),
  );
  if (passes) return { ids };
  const expected = [...new Set(values.map(format))].join(" or ");
  return expects(ids, passes, `${name} ${expected}`, format(found));
}

/** A time within a period, give or take a minute: clocks differ, and a change takes a while to be shown. */
export function within(from: number, to: number, slack = 60_000): (value: unknown) => boolean {
  const contains = (value: unknown): boolean => {
    const at = Date.parse(String(value));
    return at >= from - slack && at <= to + slack;
  };
  contains.toJSON = (): string =>
    [...new Set([from, to])].map((at) => new Date(at).toISOString()).join(" to ");
  return contains;
}

/** The same moment in any notation. */
export const moment = (at: number): ((value: unknown) => boolean) => within(at, at, 0);

/** Sorted and without repetitions: the order of email addresses and tags has no meaning. */
export const asSet = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.length === 1
      ? [String(value[0])]
      : [...new Set(value.map(String))].sort()
    : value;
