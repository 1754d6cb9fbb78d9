import { resolveSchema } from "../document/references.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textOf, textsOf } from "../document/values.ts";
import {
  type Context,
  child,
  compareRest,
  compareSets,
  compareTargets,
  type Direction,
  type Effect,
  effectOf,
  isEditorial,
  matchItems,
  nameAt,
  namesInBoth,
  namesOf,
  namesOnlyIn,
  reportEffect,
  reportItem,
  reportKey,
  type SchemaPair,
  same,
} from "./change.ts";
import {
  compareConstraints,
  compareLimits,
  compareValues,
  constraintKeys,
  limitKeys,
  valueKeys,
} from "./keywords.ts";

/** The keywords for the properties of an object and the items of a list. */
const propertyKeys = [
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "items",
  "unevaluatedItems",
];

/** The keywords that choose between variants. */
const choices = ["discriminator", "x-variant-by-request"];

/** The keywords that combine schemas. */
const variantKeys = ["oneOf", "anyOf", "allOf", ...choices];

const known = ["$ref", ...limitKeys, ...propertyKeys, ...constraintKeys, ...valueKeys, ...variantKeys];

/** Compares two schemas. A component that both refer to is compared by itself, not here. */
export function compareSchema(
  context: Context,
  [base, revision]: [unknown, unknown],
  path: Path,
  direction: Direction,
): void {
  if (same(base, revision)) return;
  const [before, after] = [asNode(base), asNode(revision)];
  const pair = { context, before, after, path, direction, compareInside };
  if (before.$ref !== after.$ref) {
    // A schema that contains itself under two names has no end.
    compareTargets(pair, path.length < 60 ? compareKeywords : () => {});
    return;
  }
  compareKeywords({
    ...pair,
    before: withInherited(context, before, after),
    after: withInherited(context, after, before),
  });
}

const compareInside: SchemaPair["compareInside"] = ({ context, path, direction }, schemas, steps) =>
  compareSchema(context, schemas, [...path, ...steps], direction);

/** A keyword beside a `$ref` narrows the component: if only one node has it, the other gets the component's own. */
function withInherited(context: Context, node: Node, other: Node): Node {
  if (typeof node.$ref !== "string") return node;
  const target = resolveSchema(context.base, { $ref: node.$ref });
  const inherited = Object.keys(other).filter(
    (key) => !isEditorial(key) && !Object.hasOwn(node, key) && Object.hasOwn(target, key),
  );
  return { ...Object.fromEntries(inherited.map((key) => [key, target[key]])), ...node };
}

function compareKeywords(pair: SchemaPair): void {
  compareValues(pair);
  compareLimits(pair);
  compareProperties(pair);
  compareVariants(pair);
  compareConstraints(pair);
  compareRest(pair, known);
}

/** A schema may be `true` or `false`. */
const asNode = (schema: unknown): Node => (schema === false ? { not: {} } : isNode(schema) ? schema : {});

/** Compares properties and items. A property that is added or removed is one change, whether it is required or not. */
function compareProperties(pair: SchemaPair): void {
  const { direction } = pair;
  const properties = child(pair, "properties");
  const { before, after } = properties;
  const [removed, added] = [namesOnlyIn(before, after), namesOnlyIn(after, before)];
  const renamed = renames(before, after, removed, added);
  for (const [from, to] of renamed)
    reportKey(properties, to, `${direction}-property-renamed`, {
      before: from,
      after: to,
      effect: "changed",
    });
  for (const name of removed.filter((one) => !renamed.has(one)))
    reportKey(properties, name, `${direction}-property-removed`, { effect: "widened" });
  const targets = new Set(renamed.values());
  const required = textsOf(pair.after.required);
  for (const name of added.filter((one) => !targets.has(one))) {
    const obligation = direction === "response" ? "" : required.includes(name) ? "required-" : "optional-";
    reportKey(properties, name, `${direction}-${obligation}property-added`, { effect: "narrowed" });
  }
  for (const name of namesInBoth(before, after))
    pair.compareInside(properties, [before[name], after[name]], [name]);
  const kinds = {
    added: [`${direction}-property-required`, "narrowed"],
    removed: [`${direction}-property-optional`, "widened"],
  } as const;
  compareSets(pair, "required", kinds, [...removed, ...added]);
  for (const key of ["additionalProperties", "unevaluatedProperties"]) compareOpenness(pair, key);
  for (const key of ["items", "unevaluatedItems"]) compareItems(pair, key);
  comparePatterns(child(pair, "patternProperties"));
}

/** The properties that have a new name and are otherwise equal, by their old name. */
function renames(before: Node, after: Node, removed: string[], added: string[]): Map<string, string> {
  const shape = (schema: unknown): Node =>
    Object.fromEntries(Object.entries(nodeOf(schema)).filter(([key]) => !isEditorial(key)));
  const pairs = new Map<string, string>();
  for (const from of removed) {
    const [to, ...others] = added.filter((name) => same(shape(before[from]), shape(after[name])));
    const rivals = removed.filter((name) => same(shape(before[name]), shape(before[from])));
    if (to !== undefined && others.length === 0 && rivals.length === 1) pairs.set(from, to);
  }
  return pairs;
}

/** Whether a schema accepts everything. */
const isOpen = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isNode(schema) && Object.keys(schema).every(isEditorial));

/** Compares what is valid beside the named properties or items. */
function compareOpenness(pair: SchemaPair, key: string): void {
  const [before, after] = [pair.before[key], pair.after[key]];
  if (same(before, after)) return;
  const { direction } = pair;
  if (isOpen(before) && isOpen(after)) reportKey(pair, key, "schema-rewritten");
  else if (after === false) reportKey(pair, key, `${direction}-closed`, { effect: "narrowed" });
  else if (before === false) reportKey(pair, key, `${direction}-opened`, { effect: "widened" });
  else if (isOpen(before)) reportEffect(pair, "constraint", "narrowed", key);
  else if (isOpen(after)) reportEffect(pair, "constraint", "widened", key);
  else pair.compareInside(pair, [before, after], [key]);
}

function compareItems(pair: SchemaPair, key: string): void {
  const [before, after] = [pair.before[key], pair.after[key]];
  const isBoth = before !== undefined && after !== undefined && isOpen(before) === isOpen(after);
  if (isBoth) pair.compareInside(pair, [before, after], [key]);
  else compareOpenness(pair, key);
}

function comparePatterns(patterns: SchemaPair): void {
  for (const name of namesOf(patterns.before, patterns.after)) {
    const effect = effectOf(patterns, name);
    if (effect !== "changed") reportEffect(patterns, "constraint", effect, name);
    else patterns.compareInside(patterns, [patterns.before[name], patterns.after[name]], [name]);
  }
}

/** Compares the alternatives of two schemas, and the schemas that apply together. */
function compareVariants(pair: SchemaPair): void {
  const { before, after } = pair;
  const has = (node: Node, key: string, other: string): boolean => key in node && !(other in node);
  if (has(before, "oneOf", "anyOf") && has(after, "anyOf", "oneOf"))
    reportEffect(pair, "constraint", "widened", "anyOf", { name: nameAt(pair) });
  else if (has(before, "anyOf", "oneOf") && has(after, "oneOf", "anyOf"))
    reportEffect(pair, "constraint", "narrowed", "oneOf", { name: nameAt(pair) });
  else for (const key of ["oneOf", "anyOf"]) compareBranches(pair, key);
  compareBranches(pair, "allOf");
  for (const key of choices.filter((one) => !same(before[one], after[one])))
    reportEffect(pair, "constraint", "changed", key);
}

function compareBranches(pair: SchemaPair, key: string): void {
  const [old, now] = [listOf(pair.before[key]).map(nodeOf), listOf(pair.after[key]).map(nodeOf)];
  const matches = matchBranches(old, now);
  for (const [index, at] of matches) pair.compareInside(pair, [old[index], now[at]], [key, at]);
  const kept = new Set(matches.values());
  const removed = [...old.keys()].filter((index) => !matches.has(index));
  const added = [...now.keys()].filter((index) => !kept.has(index));
  // Without any alternative left, everything is valid.
  const removal = key === "allOf" || now.length === 0 ? "widened" : "narrowed";
  const addition = key === "allOf" || old.length === 0 ? "narrowed" : "widened";
  for (const index of removed) reportBranch(pair, [key, index], "base", old[index], removal);
  for (const index of added) reportBranch(pair, [key, index], "revision", now[index], addition);
  const isMoved = [...matches].some(([index, at]) => index !== at);
  if (removed.length + added.length === 0 && isMoved)
    reportKey(pair, key, "order-changed", { document: "revision" });
}

function reportBranch(
  pair: SchemaPair,
  [key, index]: [string, number],
  document: "base" | "revision",
  branch: Node | undefined,
  effect: Effect,
): void {
  const name = textOf(branch?.$ref).split("/").at(-1) || textOf(branch?.title) || textOf(branch?.type) || key;
  const isConstraint = key === "allOf" || (document === "revision") === (effect === "narrowed");
  const thing =
    branch?.type === "null"
      ? `type-${effect}`
      : isConstraint
        ? `constraint-${effect}`
        : `variant-${document === "revision" ? "added" : "removed"}`;
  reportItem(pair, [key, index], document, `${pair.direction}-${thing}`, name, effect);
}

const isSimple = ({ type }: Node): boolean => type !== undefined && !textsOf(type).includes("object");

const haveSharedType = (one: Node, other: Node): boolean =>
  textsOf(one.type).some((type) => textsOf(other.type).includes(type));

/** Which branch of the base is which of the revision: equal, or of the same `$ref` or title, in the same place, or of one type. */
const matchBranches = (old: Node[], now: Node[]): Map<number, number> =>
  matchItems(old, now, [
    same,
    (one, other) => one.$ref !== undefined && one.$ref === other.$ref,
    (one, other) => one.title !== undefined && one.title === other.title,
    (one, other, index, at) =>
      old.length === now.length &&
      index === at &&
      one.$ref === undefined &&
      other.$ref === undefined &&
      same(one.type, other.type),
    (one, other) => isSimple(one) && isSimple(other) && haveSharedType(one, other),
    (one, other, index, at) => old.length === now.length && index === at && isSimple(one) && isSimple(other),
  ]);
