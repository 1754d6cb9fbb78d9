import { isNode, type Node, type Path } from "../document/values.ts";

/** What a part of the contract is for: what callers send, or what the service answers. */
export type Use = "request" | "answer";

/** What a change does to the set of values that a schema allows. */
export type Effect = "narrower" | "wider" | "other";

/** One difference as it was found, before it is judged. */
export interface Found {
  /** The name of its entry in the policy. */
  kind: string;
  /** Where it stands in the newer document, or in the older one where it is there no longer. */
  path: Path;
  side: "old" | "new";
  /** What it is about: the name of a field, header, value ... */
  name: string;
  before?: unknown;
  after?: unknown;
  /** Where it is a rule of a schema: what becomes of the values that it allows. */
  effect?: Effect;
}

/** Two bundles on the way through both, and where to put what differs. */
export interface Walk {
  before: Node;
  after: Node;
  report(found: Found): void;
}

/** Whether two values of JSON are the same, whatever the order of their keys. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => same(item, other[index]));
  }
  if (!isNode(one) || !isNode(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
}

/** A value of JSON as one text, with its keys in order. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? "undefined"
  );
}

/** The names that stand in either of two objects, those of the older one first. */
export const namesOf = (before: Node, after: Node): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];
