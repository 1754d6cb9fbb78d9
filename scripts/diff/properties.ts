import { isNode, type Node, nodeOf, textsOf } from "../document/values.ts";
import { child, compareSets, namesInBoth, namesOf, namesOnlyIn, reportKey, same } from "./change.ts";
import { isEditorial } from "./rest.ts";
import { effectOf, reportEffect, type SchemaPair } from "./schema-pair.ts";

/** The keywords for the properties of an object and the items of a list. */
export const propertyKeys = [
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "items",
  "unevaluatedItems",
];

/** Compares properties and items. A property that is added or removed is one change, whether it is required or not. */
export function compareProperties(pair: SchemaPair): void {
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
