import { resolveSchema } from "../document/references.ts";
import { isNode, listOf, type Node, nodeOf, textOf, textsOf } from "../document/values.ts";
import {
  type Change,
  type Context,
  child,
  compareFlag,
  compareRest,
  compareSets,
  compareTargets,
  type Direction,
  type Effect,
  isEditorial,
  matchItems,
  namesInBoth,
  namesOf,
  namesOnlyIn,
  type Pair,
  reportItem,
  reportKey,
  same,
} from "./change.ts";

const maximums = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
const minimums = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];
const formats = "pattern format x-utc-offset x-prefix contentEncoding contentMediaType multipleOf".split(" ");
/** The keywords that `x-technical-limit` applies to. */
const technical = new Set(["maxLength", "maxItems", "maxProperties", "maximum", "minimum"]);
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

/** The base and the revision of one schema. */
interface SchemaPair extends Pair {
  direction: Direction;
}

/** Compares the schemas at a key. A component that both refer to is compared by itself, not here. */
export function compareSchema(owner: Pair, key: string | number, direction: Direction): void {
  const [base, revision] = [owner.before[key], owner.after[key]];
  if (same(base, revision)) return;
  const { context } = owner;
  const [before, after] = [asNode(base), asNode(revision)];
  const pair = { context, before, after, path: [...owner.path, key], direction };
  if (before.$ref !== after.$ref) {
    // A schema that contains itself under two names has no end.
    compareTargets(pair, pair.path.length < 60 ? compareKeywords : () => {});
    return;
  }
  compareKeywords({
    ...pair,
    before: withInherited(context, before, after),
    after: withInherited(context, after, before),
  });
}

/** Compares the schemas at a key of a schema. */
const compareInside = (pair: SchemaPair, key: string): void => compareSchema(pair, key, pair.direction);

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
  for (const name of namesInBoth(before, after)) compareInside(properties, name);
  const kinds = {
    added: [`${direction}-property-required`, "narrowed"],
    removed: [`${direction}-property-optional`, "widened"],
  } as const;
  compareSets(pair, "required", kinds, [...removed, ...added]);
  for (const key of ["additionalProperties", "unevaluatedProperties"]) compareOpenness(pair, key);
  compareItems(pair);
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
  else compareInside(pair, key);
}

function compareItems(pair: SchemaPair): void {
  const [before, after] = [pair.before.items, pair.after.items];
  const isBoth = before !== undefined && after !== undefined && isOpen(before) === isOpen(after);
  if (isBoth) compareInside(pair, "items");
  else compareOpenness(pair, "items");
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
  for (const [index, at] of matches) {
    const branches = { ...pair, before: { [at]: old[index] }, after: { [at]: now[at] } };
    compareSchema({ ...branches, path: [...pair.path, key] }, at, pair.direction);
  }
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

/** Compares limits and formats. A limit marked `x-technical-limit` is not part of the contract. */
function compareLimits(pair: SchemaPair): void {
  const { before, after, direction } = pair;
  const changed = [...maximums, ...minimums].filter((key) => compareLimit(pair, key));
  if (changed.length === 0 && !same(before["x-technical-limit"], after["x-technical-limit"]))
    reportKey(pair, "x-technical-limit", "annotation-changed");
  for (const key of formats.filter((one) => !same(before[one], after[one])))
    reportEffect(pair, "format", effectOf(pair, key), key, { name: `${key} of ${nameAt(pair)}` });
  const kinds = { set: `${direction}-constraint-narrowed`, unset: `${direction}-constraint-widened` };
  const effect = after.uniqueItems === true ? "narrowed" : "widened";
  compareFlag(pair, "uniqueItems", kinds, { effect });
}

/** Compares one limit and returns whether it changed. */
function compareLimit(pair: SchemaPair, key: string): boolean {
  const isTechnical = (node: SchemaPair["before"]): boolean =>
    technical.has(key) && node["x-technical-limit"] === true;
  const [before, after] = [pair.before, pair.after].map((node) =>
    isTechnical(node) ? undefined : node[key],
  );
  if (same(before, after)) {
    if (same(pair.before[key], pair.after[key])) return false;
    reportKey(pair, key, "technical-limit-changed");
    return true;
  }
  const isWithdrawn = isTechnical(pair.after) && !isTechnical(pair.before);
  const effect = isWithdrawn ? "widened" : limitEffect(key, before, after);
  const details = { name: `${key} of ${nameAt(pair)}`, before, after };
  if (isWithdrawn) reportKey(pair, key, `${pair.direction}-limit-withdrawn`, { ...details, effect });
  else reportEffect(pair, "limit", effect, key, details);
  return true;
}

function limitEffect(key: string, before: unknown, after: unknown): Effect {
  if (before === undefined) return "narrowed";
  if (after === undefined) return "widened";
  return Number(after) > Number(before) === maximums.includes(key) ? "widened" : "narrowed";
}

/** Compares types, enums, constants, defaults and flags. */
function compareValues(pair: SchemaPair): void {
  const { before, after, direction } = pair;
  compareType(pair);
  compareEnums(pair);
  if (!same(before.const, after.const))
    reportEffect(pair, "const", effectOf(pair, "const"), "const", { name: nameAt(pair) });
  if (!same(before.default, after.default)) {
    const change = { narrowed: "added", widened: "removed", changed: "changed" }[effectOf(pair, "default")];
    reportKey(pair, "default", `${direction}-default-${change}`);
  }
  compareFlag(pair, "deprecated", { set: "deprecated", unset: "deprecation-withdrawn" });
  for (const key of ["readOnly", "writeOnly"]) {
    const isHidden = (key === "readOnly") === (direction === "request");
    const set = isHidden ? `${direction}-property-hidden` : "read-write-flag-changed";
    compareFlag(pair, key, { set, unset: "read-write-flag-changed" });
  }
}

function compareType(pair: SchemaPair): void {
  const [before, after] = [typesOf(pair.before.type), typesOf(pair.after.type)];
  if (same(before, after)) return;
  const isWider = after === undefined || before?.every((type) => after.includes(type)) === true;
  const isNarrower = before === undefined || after?.every((type) => before.includes(type)) === true;
  const effect: Effect = isWider ? "widened" : isNarrower ? "narrowed" : "changed";
  reportEffect(pair, "type", effect, "type", { name: nameAt(pair), before, after });
}

const typesOf = (type: unknown): string[] | undefined =>
  type === undefined ? undefined : [...(Array.isArray(type) ? type : [type])].map(String).sort();

function compareEnums(pair: SchemaPair): void {
  const effect = effectOf(pair, "enum");
  const kindsOf = (thing: string): Parameters<typeof compareSets>[2] => ({
    added: [`${pair.direction}-${thing}-added`, "widened"],
    removed: [`${pair.direction}-${thing}-removed`, "narrowed"],
  });
  if ("enum" in pair.before && effect === "changed") {
    compareSets(pair, "enum", kindsOf("enum-value"));
    return;
  }
  if (effect === "widened" || "enum" in pair.after)
    reportEffect(pair, "enum", effect, "enum", { name: nameAt(pair) });
  // The values of an extensible enum that becomes closed are still valid.
  const closed = listOf(pair.after.enum);
  compareSets(pair, "x-extensible-enum", kindsOf("extensible-enum-value"), closed);
}

/** Compares conditions, exclusions, names of properties and dependencies. */
function compareConstraints(pair: SchemaPair): void {
  const { before, after } = pair;
  for (const key of ["not", "propertyNames"]) compareConstraint(pair, key);
  if ("if" in before === "if" in after) {
    if (!same(before.if, after.if)) compareAsOne(pair, "if");
    for (const key of ["then", "else"]) compareConstraint(pair, key);
  } else reportEffect(pair, "constraint", effectOf(pair, "if"), "if");
  const required = child(pair, "dependentRequired");
  for (const name of namesOf(required.before, required.after))
    if (!same(required.before[name], required.after[name]))
      reportEffect(required, "constraint", effectOf(required, name), name);
}

const opposite: Record<Effect, Effect> = { narrowed: "widened", widened: "narrowed", changed: "changed" };

/** Compares the schema of a keyword. A change inside narrows or widens the constraint; inside `not` it is reversed. */
function compareConstraint(pair: SchemaPair, key: string): void {
  const { context, before, after, direction } = pair;
  if (same(before[key], after[key])) return;
  const effect = effectOf(pair, key);
  if (effect !== "changed") {
    reportEffect(pair, "constraint", effect, key);
    return;
  }
  const report = (change: Change): void => {
    if (change.effect === undefined) {
      context.report(change);
      return;
    }
    const inside = key === "not" ? opposite[change.effect] : change.effect;
    context.report({ ...change, effect: inside, kind: `${direction}-constraint-${inside}` });
  };
  compareInside({ ...pair, context: { ...context, report } }, key);
}

/** Compares a schema whose effect depends on others, as that of a condition does: any change of it changes the constraint. */
function compareAsOne(pair: SchemaPair, key: string): void {
  const { context } = pair;
  const changes: Change[] = [];
  const inner = { ...context, report: (change: Change) => changes.push(change) };
  compareInside({ ...pair, context: inner }, key);
  if (changes.some(({ effect }) => effect !== undefined)) reportEffect(pair, "constraint", "changed", key);
  for (const change of changes) if (change.effect === undefined) context.report(change);
}

/** The name of a schema: the last segment of its path that is not a keyword. */
const nameAt = ({ path }: SchemaPair): string =>
  String(path.filter((part) => part !== "schema" && part !== "items").at(-1) ?? "");

/** Reports the kind `<direction>-<thing>-<effect>` for a keyword. */
function reportEffect(
  pair: SchemaPair,
  thing: string,
  effect: Effect,
  key: string,
  details: Partial<Change> = {},
): void {
  reportKey(pair, key, `${pair.direction}-${thing}-${effect}`, { effect, ...details });
}

/** The effect of a keyword that restricts values: its absence allows more. */
const effectOf = ({ before, after }: Pair, key: string): Effect =>
  !Object.hasOwn(before, key) ? "narrowed" : !Object.hasOwn(after, key) ? "widened" : "changed";
