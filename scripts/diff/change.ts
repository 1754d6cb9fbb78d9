import { isDeepStrictEqual } from "node:util";
import { sortedJson } from "../../lib/objects.ts";
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
  /** The property, header, value ... that the message names, and what has it if it is an item of a list. */
  name: string;
  owner?: string;
  before?: unknown;
  after?: unknown;
  /** For a keyword of a schema: the effect on the set of valid values. */
  effect?: Effect | undefined;
}

export type Effect = "narrowed" | "widened" | "changed";

/** The two documents that are compared, and the changes so far. */
export interface Context {
  base: Node;
  revision: Node;
  changes: Change[];
  /** Which pairs of schemas have been compared, by place and content, with the first change if they differ. */
  compared: Map<string, Change[]>;
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export const same: (one: unknown, other: unknown) => boolean = isDeepStrictEqual;

export const namesOnlyIn = (one: Node, other: Node): string[] =>
  Object.keys(one).filter((name) => !Object.hasOwn(other, name));

/** The names in both of two objects, in the order of the first. */
export const namesInBoth = (one: Node, other: Node): string[] =>
  Object.keys(one).filter((name) => Object.hasOwn(other, name));

/** The names in either of two objects, those of the base first. */
export const namesOf = (before: Node, after: Node): string[] => Object.keys({ ...before, ...after });

function missingIn(list: unknown[], items: unknown[]): unknown[] {
  const known = new Set(list.map(sortedJson));
  return items.filter((item) => !known.has(sortedJson(item)));
}

/**
 * Which item of the base is which of the revision, by index.
 * @param tests the keys of an item, one of which its match has as well. A test is tried on what the tests before it left
 */
export function matchItems(old: Node[], now: Node[], tests: ((item: Node, index: number) => unknown[])[]) {
  const matches = new Map<number, number>();
  const taken = new Set<number>();
  for (const keysOf of tests) {
    // Where each key is, the first place at the end. Pairs of all items would be too many.
    const places = new Map<string, number[]>();
    const placesOf = (key: unknown): number[] => places.get(sortedJson(key)) ?? [];
    for (const [at, item] of [...now.entries()].reverse())
      for (const key of taken.has(at) ? [] : keysOf(item, at)) {
        const ats = placesOf(key);
        ats.push(at);
        places.set(sortedJson(key), ats);
      }
    for (const [index, item] of old.entries()) {
      const found = matches.has(index) ? [] : keysOf(item, index).map(placesOf);
      for (const ats of found) while (taken.has(ats.at(-1) ?? -1)) ats.pop();
      const at = found.find(({ length }) => length > 0)?.at(-1);
      if (at === undefined) continue;
      matches.set(index, at);
      taken.add(at);
    }
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

/** The kinds of keys that matter to readers only. A map, since documents name keys. */
const kinds = new Map(
  Object.entries({
    "wording-changed": "title summary description $comment externalDocs contact license termsOfService",
    "example-changed": "example examples x-example-time",
    "link-changed": "links",
    "annotation-changed": "x-encodes x-leaves-unspecified x-deprecated",
  }).flatMap(([kind, keys]) => keys.split(" ").map((key) => [key, kind])),
);

export const isEditorial = (key: string): boolean => kinds.has(key);

/** Whether a segment of a path is a keyword or an index, and so no name. */
const unnamed = /^(\d+|schema|items|allOf|oneOf|anyOf|not|if|then|else|additionalProperties|propertyNames)$/;

type PairValues = Pick<Pair, "context" | "before" | "after" | "path">;

/** The base and the revision of one node. */
export class Pair {
  declare readonly context: Context;
  declare readonly before: Node;
  declare readonly after: Node;
  declare readonly path: Path;

  constructor(values: PairValues) {
    Object.assign(this, values);
  }

  with(values: Partial<PairValues>): this {
    return new (this.constructor as new (values: object) => this)({ ...this, ...values });
  }

  /** The pair of nodes at a key; a missing node is empty. */
  child(key: string | number): this {
    const [before, after] = [valueAt(this.before, [key]), valueAt(this.after, [key])];
    return this.with({ before: nodeOf(before), after: nodeOf(after), path: [...this.path, key] });
  }

  /** The pair of what the nodes refer to, if they are `$ref`s. */
  resolved(): this {
    const { context, before, after } = this;
    return this.with({
      before: resolveSchema(context.base, before),
      after: resolveSchema(context.revision, after),
    });
  }

  reportKey(key: string, kind: string, details: Partial<Change> = {}): void {
    this.context.changes.push({
      kind,
      path: [...this.path, key],
      document: Object.hasOwn(this.after, key) ? "revision" : "base",
      name: key,
      before: valueAt(this.before, [key]),
      after: valueAt(this.after, [key]),
      ...details,
    });
  }

  reportItem(steps: Path, document: Change["document"], kind: string, name: unknown, effect?: Effect): void {
    const path = [...this.path, ...steps];
    this.context.changes.push({ kind, path, document, name: String(name), owner: this.name, effect });
  }

  /** Compares a boolean keyword; a missing one is false. */
  compareFlag(key: string, kinds: { set: string; unset: string }, details: Partial<Change> = {}): void {
    if (same(this.before[key], this.after[key])) return;
    const [was, is] = [this.before[key] === true, this.after[key] === true];
    if (was === is) this.reportKey(key, "schema-rewritten", { name: this.name });
    else this.reportKey(key, is ? kinds.set : kinds.unset, details);
  }

  /** Compares two maps by name, and the entries that both have with `compare`. */
  compareEntries(kinds: { added: string; removed: string }, compare: (entry: this, name: string) => void) {
    for (const name of namesOf(this.before, this.after)) {
      if (!Object.hasOwn(this.after, name)) this.reportKey(name, kinds.removed);
      else if (!Object.hasOwn(this.before, name)) this.reportKey(name, kinds.added);
      else if (!same(this.before[name], this.after[name])) compare(this.child(name), name);
    }
  }

  /** Compares two lists of names as sets: reports `<kind>-added` and `<kind>-removed`. */
  compareNames(key: string, kind: string): void {
    this.compareSets(key, { added: [`${kind}-added`], removed: [`${kind}-removed`] });
  }

  /**
   * Compares two lists as sets.
   * @param kinds the kind of an item that was added or removed, and its effect
   * @param moved items that are reported elsewhere
   */
  compareSets(
    key: string,
    kinds: Record<"added" | "removed", readonly [kind: string, effect?: Effect]>,
    moved: unknown[] = [],
  ): void {
    const [old, now] = [listAt(this.before, key), listAt(this.after, key)];
    const [removed, added] = [missingIn(now, old), missingIn(old, now)];
    for (const item of missingIn(moved, removed))
      this.reportItem([key, old.indexOf(item)], "base", kinds.removed[0], item, kinds.removed[1]);
    for (const item of missingIn(moved, added))
      this.reportItem([key, now.indexOf(item)], "revision", kinds.added[0], item, kinds.added[1]);
    if (removed.length + added.length === 0 && !same(old, now)) this.reportOrder(key);
  }

  reportOrder(key: string): void {
    this.reportKey(key, "order-changed", { document: "revision", name: this.keyName(key) });
  }

  /**
   * Compares the keys that no other comparison covers: texts, examples, annotations and extensions.
   * @param known the keys that are compared elsewhere
   * @param own the kinds of other keys; `fallback` is that of any key without one, default: `extension-changed` or `unknown-keyword`
   */
  compareRest(known: readonly string[], { fallback, ...own }: Record<string, string> = {}): void {
    const kindOf = new Map([...kinds, ...Object.entries(own)]);
    for (const key of namesOf(this.before, this.after)) {
      if (known.includes(key) || same(valueAt(this.before, [key]), valueAt(this.after, [key]))) continue;
      const other = key.startsWith("x-") ? "extension-changed" : "unknown-keyword";
      this.reportKey(key, kindOf.get(key) ?? fallback ?? other);
    }
  }

  /** Compares two nodes that may be `$ref`s. Two `$ref`s to the same component are equal: components are compared by themselves. */
  compareReferenced(compare: (pair: this) => void): void {
    const { before, after } = this;
    if (same(before, after)) return;
    if (before.$ref !== undefined && before.$ref === after.$ref) this.compareRest(["$ref"]);
    else {
      const kind = before.$ref === after.$ref ? "schema-rewritten" : "reference-changed";
      this.reportSilence(kind, () => compare(this.resolved()));
    }
  }

  /** Runs a comparison of two nodes that are not equal, and reports what it is if it finds no change of their meaning. */
  reportSilence(kind: string, compare: () => void): void {
    const { length } = this.context.changes;
    compare();
    if (this.context.changes.length === length) this.reportItem([], "revision", kind, this.name);
  }

  /** What messages call the node: the parameter, header, property or component that it belongs to. */
  get name(): string {
    const { context, path } = this;
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

  /** What messages call a keyword of the node. */
  keyName(key: string): string {
    return `${key} of ${this.name}`;
  }

  /** The effect of a keyword that restricts values: its absence allows more. */
  effectOf(key: string): Effect {
    if (!Object.hasOwn(this.before, key)) return "narrowed";
    return Object.hasOwn(this.after, key) ? "changed" : "widened";
  }
}

/** Whether clients send the value or receive it. */
export type Direction = "request" | "response";

export class SchemaPair extends Pair {
  declare readonly direction: Direction;

  constructor(values: PairValues & { direction: Direction }) {
    super(values);
  }

  /** Reports the kind `<direction>-<thing>-<effect>` for a keyword. */
  reportEffect(thing: string, effect: Effect, key: string, details: Partial<Change> = {}): void {
    const kind = `${this.direction}-${thing}-${effect}`;
    this.reportKey(key, kind, { effect, name: this.keyName(key), ...details });
  }

  /** Compares a keyword whose values cannot be ordered. */
  compareKeyword(thing: string, key: string, details: Partial<Change> = {}): void {
    if (!same(this.before[key], this.after[key])) this.reportEffect(thing, this.effectOf(key), key, details);
  }
}
