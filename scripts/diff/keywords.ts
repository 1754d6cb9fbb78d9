import { listOf } from "../document/values.ts";
import {
  type Change,
  child,
  compareFlag,
  compareSets,
  type Effect,
  effectOf,
  nameAt,
  namesOf,
  reportEffect,
  reportKey,
  type SchemaPair,
  same,
} from "./change.ts";

const maximums = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum", "maxContains"];
const minimums = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum", "minContains"];
const formats = [
  "pattern",
  "format",
  "x-utc-offset",
  "x-prefix",
  "contentEncoding",
  "contentMediaType",
  "multipleOf",
];
/** The keywords that `x-technical-limit` applies to. */
const technical = new Set(["maxLength", "maxItems", "maxProperties", "maximum", "minimum"]);

/** The keywords for sizes and formats. */
export const limitKeys = [...maximums, ...minimums, ...formats, "x-technical-limit", "uniqueItems"];

/** Compares limits and formats. A limit marked `x-technical-limit` is not part of the contract. */
export function compareLimits(pair: SchemaPair): void {
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

/** The keywords for the type and the values of a schema. */
export const valueKeys = [
  "type",
  "enum",
  "const",
  "x-extensible-enum",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/** Compares types, enums, constants, defaults and flags. */
export function compareValues(pair: SchemaPair): void {
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

/** The keywords with a schema that values must, or must not, match as a whole. */
export const constraintKeys = [
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "prefixItems",
];

/** Compares conditions, exclusions, names of properties and dependencies. */
export function compareConstraints(pair: SchemaPair): void {
  const { before, after } = pair;
  for (const key of ["not", "propertyNames", "contains"]) compareConstraint(pair, key);
  if ("if" in before === "if" in after) {
    if (!same(before.if, after.if)) compareAsOne(pair, "if");
    for (const key of ["then", "else"]) compareConstraint(pair, key);
  } else reportEffect(pair, "constraint", effectOf(pair, "if"), "if");
  compareDependencies(child(pair, "dependentRequired"), false);
  compareDependencies(child(pair, "dependentSchemas"), true);
  if (!same(before.prefixItems, after.prefixItems))
    reportEffect(pair, "constraint", "changed", "prefixItems");
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
  pair.compareInside({ ...pair, context: { ...context, report } }, [before[key], after[key]], [key]);
}

function compareDependencies(pair: SchemaPair, isSchema: boolean): void {
  for (const name of namesOf(pair.before, pair.after)) {
    if (same(pair.before[name], pair.after[name])) continue;
    const effect = effectOf(pair, name);
    if (isSchema && effect === "changed") compareAsOne(pair, name);
    else reportEffect(pair, "constraint", effect, name);
  }
}

/** Compares a schema whose effect depends on others, as that of a condition does: any change of it changes the constraint. */
function compareAsOne(pair: SchemaPair, key: string): void {
  const { context, before, after } = pair;
  const changes: Change[] = [];
  const inner = { ...context, report: (change: Change) => changes.push(change) };
  pair.compareInside({ ...pair, context: inner }, [before[key], after[key]], [key]);
  if (changes.some(({ effect }) => effect !== undefined)) reportEffect(pair, "constraint", "changed", key);
  for (const change of changes) if (change.effect === undefined) context.report(change);
}
