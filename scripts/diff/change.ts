import { isNode, type Node, nodeOf, type Path } from "../document/values.ts";

/** One change between two documents, not yet classified. */
export interface Change {
  /** Its entry in the policy. */
  kind: string;
  /** Where it is in the revision, or in the base if the revision does not have it. */
  path: Path;
  document: "base" | "revision";
  /** The property, header, value ... that the message names. */
  name: string;
  before?: unknown;
  after?: unknown;
  /** For a keyword of a schema: the effect on the set of valid values. */
  effect?: Effect;
}

/** The effect of a change on the set of valid values. */
export type Effect = "narrowed" | "widened" | "changed";

/** The two documents that are compared, and the receiver of the changes. */
export interface Context {
  base: Node;
  revision: Node;
  report(change: Change): void;
}

/** The base and the revision of one node. */
export interface Pair {
  context: Context;
  before: Node;
  after: Node;
  path: Path;
}

/** The pair of nodes at a key; a missing node is empty. */
export const child = <Given extends Pair>(pair: Given, key: string | number): Given => ({
  ...pair,
  before: nodeOf(pair.before[key]),
  after: nodeOf(pair.after[key]),
  path: [...pair.path, key],
});

/** Whether two JSON values are equal, whatever the order of their keys. */
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

/** The names in either of two objects, those of the base first. */
export const namesOf = (before: Node, after: Node): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

/** Reports a change of one key of a pair. */
export function reportKey(pair: Pair, key: string, kind: string, details: Partial<Change> = {}): void {
  const { context, before, after, path } = pair;
  context.report({
    kind,
    path: [...path, key],
    document: key in after ? "revision" : "base",
    name: key,
    before: before[key],
    after: after[key],
    ...details,
  });
}

/** Compares a boolean keyword; a missing one is false. */
export function compareFlag(
  pair: Pair,
  key: string,
  kinds: { set: string; unset: string },
  details: Partial<Change> = {},
): void {
  if (same(pair.before[key], pair.after[key])) return;
  const [was, is] = [pair.before[key] === true, pair.after[key] === true];
  if (was === is) reportKey(pair, key, "schema-rewritten");
  else reportKey(pair, key, is ? kinds.set : kinds.unset, details);
}

/** Compares two maps by name, and the entries that both have with `compare`. */
export function compareEntries(
  pair: Pair,
  kinds: { added: string; removed: string },
  compare: (entry: Pair, name: string) => void,
): void {
  for (const name of namesOf(pair.before, pair.after)) {
    if (!(name in pair.after)) reportKey(pair, name, kinds.removed);
    else if (!(name in pair.before)) reportKey(pair, name, kinds.added);
    else if (!same(pair.before[name], pair.after[name])) compare(child(pair, name), name);
  }
}

/** Compares two lists of names as sets: reports `<kind>-added` and `<kind>-removed`. */
export function compareNames(pair: Pair, key: string, kind: string): void {
  const [old, now] = [listAt(pair.before, key), listAt(pair.after, key)];
  if (same(old, now)) return;
  const removed = old.filter((name) => !now.includes(name));
  const added = now.filter((name) => !old.includes(name));
  for (const name of removed) reportItem(pair, [key, old.indexOf(name)], "base", `${kind}-removed`, name);
  for (const name of added) reportItem(pair, [key, now.indexOf(name)], "revision", `${kind}-added`, name);
  if (removed.length + added.length === 0) reportKey(pair, key, "order-changed", { document: "revision" });
}

const listAt = (node: Node, key: string): unknown[] => {
  const value = node[key] ?? [];
  return Array.isArray(value) ? value : [value];
};

/** Reports a change of one item of a list. */
export function reportItem(
  { context, path }: Pair,
  steps: Path,
  document: Change["document"],
  kind: string,
  name: unknown,
  effect?: Effect,
): void {
  const change = { kind, path: [...path, ...steps], document, name: String(name) };
  context.report(effect === undefined ? change : { ...change, effect });
}
