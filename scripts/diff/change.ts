import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../document/json-pointer.ts";
import { resolveSchema } from "../document/references.ts";
import { type Node, nodeOf, type Path, textOf } from "../document/values.ts";

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
  effect?: Effect | undefined;
}

/** The effect of a change on the set of valid values. */
export type Effect = "narrowed" | "widened" | "changed";

/** The two documents that are compared, and the changes so far. */
export interface Context {
  base: Node;
  revision: Node;
  changes: Change[];
  /** Which pairs of schemas have been compared, by place and content, with the first change if they differ. */
  compared: Map<string, Change[]>;
}

/** Where a node is. */
type Place = Pick<Pair, "context" | "path">;

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
  before: nodeOf(valueAt(pair.before, [key])),
  after: nodeOf(valueAt(pair.after, [key])),
  path: [...pair.path, key],
});

/** Whether two JSON values are equal, whatever the order of their keys. */
export const same: (one: unknown, other: unknown) => boolean = isDeepStrictEqual;

/** The names in one object that another does not have. */
export const namesOnlyIn = (one: Node, other: Node): string[] =>
  Object.keys(one).filter((name) => !Object.hasOwn(other, name));

/** The names in both of two objects, in the order of the first. */
export const namesInBoth = (one: Node, other: Node): string[] =>
  Object.keys(one).filter((name) => Object.hasOwn(other, name));

/** The names in either of two objects, those of the base first. */
export const namesOf = (before: Node, after: Node): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

/** Reports a change of one key of a pair. */
export function reportKey(pair: Pair, key: string, kind: string, details: Partial<Change> = {}): void {
  const { context, before, after, path } = pair;
  context.changes.push({
    kind,
    path: [...path, key],
    document: Object.hasOwn(after, key) ? "revision" : "base",
    name: key,
    before: valueAt(before, [key]),
    after: valueAt(after, [key]),
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
  if (was === is) reportKey(pair, key, "schema-rewritten", { name: nameAt(pair) });
  else reportKey(pair, key, is ? kinds.set : kinds.unset, details);
}

/** Compares two maps by name, and the entries that both have with `compare`. */
export function compareEntries(
  pair: Pair,
  kinds: { added: string; removed: string },
  compare: (entry: Pair, name: string) => void,
): void {
  for (const name of namesOf(pair.before, pair.after)) {
    if (!Object.hasOwn(pair.after, name)) reportKey(pair, name, kinds.removed);
    else if (!Object.hasOwn(pair.before, name)) reportKey(pair, name, kinds.added);
    else if (!same(pair.before[name], pair.after[name])) compare(child(pair, name), name);
  }
}

/** Compares two lists of names as sets: reports `<kind>-added` and `<kind>-removed`. */
export const compareNames = (pair: Pair, key: string, kind: string): void =>
  compareSets(pair, key, { added: [`${kind}-added`], removed: [`${kind}-removed`] });

/**
 * Compares two lists as sets.
 *
 * @param kinds the kind of an item that was added or removed, and its effect
 * @param moved items that are reported elsewhere
 */
export function compareSets(
  pair: Pair,
  key: string,
  kinds: Record<"added" | "removed", readonly [kind: string, effect?: Effect]>,
  moved: unknown[] = [],
): void {
  const [old, now] = [listAt(pair.before, key), listAt(pair.after, key)];
  const [removed, added] = [missingIn(now, old), missingIn(old, now)];
  for (const item of missingIn(moved, removed))
    reportItem(pair, [key, old.indexOf(item)], "base", kinds.removed[0], item, kinds.removed[1]);
  for (const item of missingIn(moved, added))
    reportItem(pair, [key, now.indexOf(item)], "revision", kinds.added[0], item, kinds.added[1]);
  if (removed.length + added.length === 0 && !same(old, now))
    reportKey(pair, key, "order-changed", { document: "revision", name: keyAt(pair, key) });
}

const missingIn = (list: unknown[], items: unknown[]): unknown[] =>
  items.filter((item) => !list.some((one) => same(one, item)));

/** Which item of the base is which of the revision, by index. A test is tried on what the tests before it left. */
export function matchItems(
  old: Node[],
  now: Node[],
  tests: ((one: Node, other: Node, index: number, at: number) => boolean)[],
) {
  const matches = new Map<number, number>();
  const taken = new Set<number>();
  for (const isMatch of tests)
    for (const [index, one] of old.entries()) {
      if (matches.has(index)) continue;
      const at = now.findIndex((other, place) => !taken.has(place) && isMatch(one, other, index, place));
      if (at < 0) continue;
      matches.set(index, at);
      taken.add(at);
    }
  const kept = [...matches].sort(([one], [other]) => one - other);
  return {
    kept,
    removed: [...old.keys()].filter((index) => !matches.has(index)),
    added: [...now.keys()].filter((at) => !taken.has(at)),
    isMoved: kept.some(([, at], index) => at < (kept[index - 1]?.[1] ?? 0)),
  };
}

const listAt = (node: Node, key: string): unknown[] => {
  const value = node[key] ?? [];
  return Array.isArray(value) ? value : [value];
};

/** Reports a change of one item of a list. */
export function reportItem(
  { context, path }: Place,
  steps: Path,
  document: Change["document"],
  kind: string,
  name: unknown,
  effect?: Effect,
): void {
  context.changes.push({ kind, path: [...path, ...steps], document, name: String(name), effect });
}

/** The kinds of keys that matter to readers only. A map, since documents name keys. */
const kinds = new Map([
  ["title", "wording-changed"],
  ["summary", "wording-changed"],
  ["description", "wording-changed"],
  ["$comment", "wording-changed"],
  ["externalDocs", "wording-changed"],
  ["contact", "wording-changed"],
  ["license", "wording-changed"],
  ["termsOfService", "wording-changed"],
  ["example", "example-changed"],
  ["examples", "example-changed"],
  ["x-example-time", "example-changed"],
  ["links", "link-changed"],
  ["x-encodes", "annotation-changed"],
  ["x-leaves-unspecified", "annotation-changed"],
  ["x-deprecated", "annotation-changed"],
]);

/** Whether a key matters to readers only. */
export const isEditorial = (key: string): boolean => kinds.has(key);

/**
 * Compares the keys that no other comparison covers: texts, examples, annotations and extensions.
 *
 * @param known the keys that are compared elsewhere
 * @param own the kinds of other keys; `fallback` is that of any key without one, default: `extension-changed` or `unknown-keyword`
 */
export function compareRest(
  pair: Pair,
  known: readonly string[],
  { fallback, ...own }: Record<string, string> = {},
): void {
  const kindOf = new Map([...kinds, ...Object.entries(own)]);
  for (const key of namesOf(pair.before, pair.after)) {
    if (known.includes(key) || same(valueAt(pair.before, [key]), valueAt(pair.after, [key]))) continue;
    const other = key.startsWith("x-") ? "extension-changed" : "unknown-keyword";
    reportKey(pair, key, kindOf.get(key) ?? fallback ?? other);
  }
}

/** Compares two nodes that may be `$ref`s. Two `$ref`s to the same component are equal: components are compared by themselves. */
export function compareReferenced<Given extends Pair>(pair: Given, compare: (pair: Given) => void): void {
  const { context, before, after } = pair;
  if (same(before, after)) return;
  if (before.$ref !== undefined && before.$ref === after.$ref) compareRest(pair, ["$ref"]);
  else {
    const [old, now] = [resolveSchema(context.base, before), resolveSchema(context.revision, after)];
    const kind = before.$ref === after.$ref ? "schema-rewritten" : "reference-changed";
    reportSilence(pair, kind, () => compare({ ...pair, before: old, after: now }));
  }
}

/** Runs a comparison of two nodes that are not equal, and reports what it is if it finds no change of their meaning. */
export function reportSilence(pair: Place, kind: string, compare: () => void): void {
  const { length } = pair.context.changes;
  compare();
  if (pair.context.changes.length === length) reportItem(pair, [], "revision", kind, nameAt(pair));
}

const unnamed = /^(\d+|schema|items|allOf|oneOf|anyOf|not|if|then|else|additionalProperties|propertyNames)$/;

/** What messages call a keyword of a node. */
export const keyAt = (pair: Place, key: string): string => `${key} of ${nameAt(pair)}`;

/** What messages call the node at a path: the parameter, header, property or component that it belongs to. */
export function nameAt({ context, path }: Place): string {
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const [owner, name] = [path[at - 1], String(path[at])];
    if (owner === "content") return "body";
    if (owner === "parameters") {
      const here = path.slice(0, at + 1);
      const nodes = [context.revision, context.base].map((one) => resolveSchema(one, valueAt(one, here)));
      return textOf(nodes[0]?.name) || textOf(nodes[1]?.name) || name;
    }
    if (owner === "properties" || !unnamed.test(name)) return name;
  }
  return "";
}

/** Whether clients send the value or receive it. */
export type Direction = "request" | "response";

/** The base and the revision of one schema. */
export interface SchemaPair extends Pair {
  direction: Direction;
}

/** Reports the kind `<direction>-<thing>-<effect>` for a keyword. */
export function reportEffect(
  pair: SchemaPair,
  thing: string,
  effect: Effect,
  key: string,
  details: Partial<Change> = {},
): void {
  const name = keyAt(pair, key);
  reportKey(pair, key, `${pair.direction}-${thing}-${effect}`, { effect, name, ...details });
}

/** The effect of a keyword that restricts values: its absence allows more. */
export const effectOf = ({ before, after }: Pair, key: string): Effect =>
  !Object.hasOwn(before, key) ? "narrowed" : !Object.hasOwn(after, key) ? "widened" : "changed";
