import { usageError } from "../../lib/user-error.ts";
import { maximums, minimums } from "../document/schema-forms.ts";
import { deepest, listOf, type Node, nodeOf, textOf, textsOf } from "../document/values.ts";
import {
  type Change,
  type Direction,
  type Effect,
  isEditorial,
  matchItems,
  namesInBoth,
  namesOf,
  namesOnlyIn,
  type Pair,
  SchemaPair,
  same,
} from "./change.ts";
import { aligned, asNode, effective } from "./effective.ts";
import { compareLimits, formats, typesOf } from "./limits.ts";
import { requiredAs } from "./usage.ts";

/** The keywords that choose between variants. */
const choices = ["discriminator", "x-variant-by-request"];
/** The keywords that are compared: those that the lint rules allow. Another one has a kind of its own. */
const known = [
  ...maximums,
  ...minimums,
  ...formats,
  ...choices,
  ...`$ref type enum const x-extensible-enum default deprecated readOnly writeOnly x-technical-limit uniqueItems
    properties required additionalProperties unevaluatedProperties items oneOf anyOf allOf not if then else
    propertyNames dependentRequired`.split(/\s+/),
];

/** More pairs of schemas than in the largest documents. */
const mostPairs = 100_000;

/** Compares the schemas at a key. A component that both refer to is compared by itself, not here. */
export function compareSchema(owner: Pair, key: string | number, direction: Direction): void {
  const [base, revision] = [owner.before[key], owner.after[key]];
  if (same(base, revision)) return;
  const { context } = owner;
  const [old, now] = [asNode(base), asNode(revision)];
  const pair = new SchemaPair({ context, before: old, after: now, path: [...owner.path, key], direction });
  // Schemas may contain themselves, or each other many times. Each pair is compared once in an operation or component.
  const place = JSON.stringify([direction, pair.path.slice(0, 4), old, now]);
  const known = context.compared.get(place);
  if (known !== undefined) {
    context.changes.push(...known);
    return;
  }
  if (pair.path.length > deepest || context.compared.size > mostPairs)
    throw usageError(
      `${pair.name} has more than ${deepest} levels, or schemas in more than ${mostPairs} ways`,
      "Compare simpler documents.",
    );
  // Until it is known, a schema within itself is taken for equal.
  context.compared.set(place, []);
  const { length } = context.changes;
  pair.reportSilence(old.$ref !== now.$ref ? "reference-changed" : "schema-rewritten", () => {
    const [before, after] = aligned(context, old, now);
    compareKeywords(pair.with({ before, after }));
  });
  context.compared.set(place, context.changes.slice(length, length + 1));
}

const compareInside = (pair: SchemaPair, key: string): void => compareSchema(pair, key, pair.direction);

/** The changes of the schema at a key of a schema, if they mean something else there. */
function changesInside(pair: SchemaPair, key: string): Change[] {
  const context = { ...pair.context, changes: [], compared: new Map() };
  compareInside(pair.with({ context }), key);
  return context.changes;
}

function compareKeywords(pair: SchemaPair): void {
  compareValues(pair);
  compareLimits(pair);
  compareProperties(pair);
  compareVariants(pair);
  compareConstraints(pair);
  pair.compareRest(known);
}

/** Compares properties and items. A property that is added or removed is one change, whether it is required or not. */
function compareProperties(pair: SchemaPair): void {
  const { context, direction } = pair;
  const properties = pair.child("properties");
  const before = visibleIn(context.base, properties.before, direction);
  const after = visibleIn(context.revision, properties.after, direction);
  const isIn = (node: Node, name: string): boolean => Object.hasOwn(node, name);
  for (const name of namesInBoth(before, after)) compareInside(properties, name);
  const gone = namesOnlyIn(before, after).filter((name) => !isIn(properties.after, name));
  const renamed = renames(before, after, gone, namesOnlyIn(after, before));
  for (const [from, to] of renamed)
    properties.reportKey(to, `${direction}-property-renamed`, { before: from, after: to, effect: "changed" });
  const required = textsOf(pair.after.required);
  const others = namesOf(properties.before, properties.after).filter(
    (name) => !isIn(before, name) || !isIn(after, name),
  );
  for (const name of others) {
    if ([...renamed].flat().includes(name)) continue;
    const [was, is] = [isIn(before, name), isIn(after, name)];
    const obligation = direction === "response" ? "" : required.includes(name) ? "required-" : "optional-";
    const isMarked = isIn(properties.before, name) && isIn(properties.after, name);
    if (!was && !is) compareHidden(properties, name);
    else if (isMarked && !(is && obligation === "required-"))
      properties
        .child(name)
        .reportKey(hiding[direction], `${direction}-property-${is ? "shown" : "hidden"}`, { name });
    else if (was) properties.reportKey(name, `${direction}-property-removed`, { effect: "widened" });
    else properties.reportKey(name, `${direction}-${obligation}property-added`, { effect: "narrowed" });
  }
  const kinds = {
    added: [`${direction}-property-required`, "narrowed"],
    removed: [`${direction}-property-optional`, "widened"],
  } as const;
  pair.compareSets("required", kinds, others);
  for (const key of ["additionalProperties", "unevaluatedProperties", "items"]) compareOpenness(pair, key);
}

/** The keyword of the properties that a direction does not have. */
const hiding = { request: "readOnly", response: "writeOnly" } as const;
const noEffect = "read-write-flag-changed";

const visibleIn = (document: Node, properties: Node, direction: Direction): Node =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([, schema]) => effective(document, schema)[hiding[direction]] !== true,
    ),
  );

/** Compares a property that this direction has in neither document: whatever changes has no effect here. */
function compareHidden(properties: SchemaPair, name: string): void {
  const { before, after } = properties;
  if (Object.hasOwn(before, name) !== Object.hasOwn(after, name)) properties.reportKey(name, noEffect);
  else
    for (const { path, document } of changesInside(properties, name))
      properties.with({ path }).reportItem([], document, noEffect, properties.with({ path }).name);
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

/** Compares what is valid beside the named properties, or as items. */
function compareOpenness(pair: SchemaPair, key: string): void {
  const [before, after] = [pair.before[key], pair.after[key]];
  if (same(before, after)) return;
  const { name } = pair;
  const isClosed = key !== "items";
  if (isClosed && after === false)
    pair.reportKey(key, `${pair.direction}-closed`, { effect: "narrowed", name });
  else if (isClosed && before === false)
    pair.reportKey(key, `${pair.direction}-opened`, { effect: "widened", name });
  else if (before !== undefined && after !== undefined) compareInside(pair, key);
  else pair.reportEffect("constraint", pair.effectOf(key), key);
}

/** Compares the alternatives of two schemas, and the schemas that apply together. */
function compareVariants(pair: SchemaPair): void {
  const { before, after } = pair;
  const has = (node: Node, key: string, other: string): boolean => key in node && !(other in node);
  if (has(before, "oneOf", "anyOf") && has(after, "anyOf", "oneOf"))
    pair.reportEffect("constraint", "widened", "anyOf", { name: pair.name });
  else if (has(before, "anyOf", "oneOf") && has(after, "oneOf", "anyOf"))
    pair.reportEffect("constraint", "narrowed", "oneOf", { name: pair.name });
  else for (const key of ["oneOf", "anyOf"]) compareBranches(pair, key);
  compareBranches(pair, "allOf");
  for (const key of choices.filter((one) => !same(before[one], after[one])))
    pair.reportEffect("constraint", "changed", key);
}

function compareBranches(pair: SchemaPair, key: string): void {
  const [old, now] = [listOf(pair.before[key]).map(nodeOf), listOf(pair.after[key]).map(nodeOf)];
  const { kept, removed, added, isMoved } = matchBranches(old, now);
  for (const [index, at] of kept) {
    const branches = { before: { [at]: old[index] }, after: { [at]: now[at] }, path: [...pair.path, key] };
    compareSchema(pair.with(branches), at, pair.direction);
  }
  // Without any alternative left, everything is valid.
  const removal = key === "allOf" || now.length === 0 ? "widened" : "narrowed";
  const addition = key === "allOf" || old.length === 0 ? "narrowed" : "widened";
  for (const index of removed) reportBranch(pair, [key, index], "base", old[index], removal);
  for (const index of added) reportBranch(pair, [key, index], "revision", now[index], addition);
  if (removed.length + added.length === 0 && isMoved) pair.reportOrder(key);
}

function reportBranch(
  pair: SchemaPair,
  [key, index]: [string, number],
  document: "base" | "revision",
  branch: Node | undefined,
  effect: Effect,
): void {
  const name =
    textOf(branch?.$ref).split("/").at(-1) ||
    textOf(branch?.title) ||
    textOf(branch?.type) ||
    pair.keyName(key);
  const thing =
    branch?.type === "null"
      ? `type-${effect}`
      : key === "allOf" || (document === "revision") === (effect === "narrowed")
        ? `constraint-${effect}`
        : `variant-${document === "revision" ? "added" : "removed"}`;
  pair.reportItem([key, index], document, `${pair.direction}-${thing}`, name, effect);
}

const isSimple = ({ type }: Node): boolean => type !== undefined && !textsOf(type).includes("object");

const haveSharedType = (one: Node, other: Node): boolean =>
  textsOf(one.type).some((type) => textsOf(other.type).includes(type));

/** Which branch of the base is which of the revision: equal, or of the same `$ref` or title, in the same place, or of one type. */
const matchBranches = (old: Node[], now: Node[]) =>
  matchItems(old, now, [
    (one) => [one],
    ({ $ref }) => ($ref === undefined ? [] : [$ref]),
    ({ title }) => (title === undefined ? [] : [title]),
    ({ $ref, type }, index) => (old.length === now.length && $ref === undefined ? [[index, type]] : []),
    (one) => (isSimple(one) ? textsOf(one.type) : []),
    (one, index) => (old.length === now.length && isSimple(one) ? [index] : []),
  ]);

function compareValues(pair: SchemaPair): void {
  const { before, after, direction, path, name } = pair;
  // Values of another type are other values.
  if (compareType(pair) !== "changed" || haveSharedType(before, after)) {
    compareEnums(pair);
    pair.compareKeyword("const", "const", { name });
  }
  if (!same(before.default, after.default)) {
    const change = { narrowed: "added", widened: "removed", changed: "changed" }[pair.effectOf("default")];
    pair.reportKey("default", `${direction}-default-${change}`, { name });
  }
  pair.compareFlag("deprecated", { set: "deprecated", unset: "deprecation-withdrawn" }, { name });
  for (const key of ["readOnly", "writeOnly"]) {
    if (path.length > 3 || key !== hiding[direction] || same(before[key], after[key]))
      pair.compareFlag(key, { set: noEffect, unset: noEffect }, { name });
    else {
      // The schemas that refer to a component are not compared again if only the component changes.
      const required = direction === "request" ? requiredAs(pair.context.revision, path) : undefined;
      const unset = required ? "request-required-property-added" : `${direction}-property-shown`;
      pair.compareFlag(key, { set: `${direction}-property-hidden`, unset }, { name: required ?? name });
    }
  }
}

function compareType(pair: SchemaPair): Effect | undefined {
  const [before, after] = [typesOf(pair.before.type), typesOf(pair.after.type)];
  if (same(before, after)) return undefined;
  const isWider = after === undefined || before?.every((type) => after.includes(type)) === true;
  const isNarrower = before === undefined || after?.every((type) => before.includes(type)) === true;
  const effect: Effect = isWider ? "widened" : isNarrower ? "narrowed" : "changed";
  pair.reportEffect("type", effect, "type", { name: pair.name, before, after });
  return effect;
}

function compareEnums(pair: SchemaPair): void {
  const effect = pair.effectOf("enum");
  const kindsOf = (thing: string): Parameters<SchemaPair["compareSets"]>[1] => ({
    added: [`${pair.direction}-${thing}-added`, "widened"],
    removed: [`${pair.direction}-${thing}-removed`, "narrowed"],
  });
  if ("enum" in pair.before && effect === "changed") {
    pair.compareSets("enum", kindsOf("enum-value"));
    return;
  }
  if (effect === "widened" || "enum" in pair.after)
    pair.reportEffect("enum", effect, "enum", { name: pair.name });
  // The values of an extensible enum that becomes closed are still valid.
  pair.compareSets("x-extensible-enum", kindsOf("extensible-enum-value"), listOf(pair.after.enum));
}

function compareConstraints(pair: SchemaPair): void {
  const { before, after } = pair;
  // Without a condition, its branches mean nothing.
  const branches = "if" in before === "if" in after ? ["then", "else"] : [];
  for (const key of ["not", "propertyNames", "if", ...branches]) compareConstraint(pair, key);
  const required = pair.child("dependentRequired");
  for (const name of namesOf(required.before, required.after)) required.compareKeyword("constraint", name);
}

const opposite: Record<Effect, Effect> = { narrowed: "widened", widened: "narrowed", changed: "changed" };

/** Compares the schema of a keyword. A change inside narrows or widens the constraint; inside `not` it is reversed. */
function compareConstraint(pair: SchemaPair, key: string): void {
  const { context, before, after, direction } = pair;
  if (same(before[key], after[key])) return;
  const effect = pair.effectOf(key);
  if (effect !== "changed") {
    pair.reportEffect("constraint", effect, key);
    return;
  }
  for (const change of changesInside(pair, key)) {
    if (change.effect === undefined) context.changes.push(change);
    // What a change of a condition means depends on its branches.
    else if (key === "if") pair.reportEffect("constraint", "changed", key);
    else {
      const inside = key === "not" ? opposite[change.effect] : change.effect;
      context.changes.push({ ...change, effect: inside, kind: `${direction}-constraint-${inside}` });
    }
  }
}
