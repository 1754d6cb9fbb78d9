import type { Node } from "../document/values.ts";
import {
  compareFlag,
  type Effect,
  effectOf,
  keyAt,
  reportEffect,
  reportKey,
  type SchemaPair,
  same,
} from "./change.ts";
import { bounds, maximums, minimums } from "./effective.ts";

export const formats =
  "pattern format x-utc-offset x-prefix contentEncoding contentMediaType multipleOf".split(" ");
/** The keywords that `x-technical-limit` applies to. */
const technical = new Set(["maxLength", "maxItems", "maxProperties", "maximum", "minimum"]);

/** Compares limits and formats. A limit marked `x-technical-limit` is not part of the contract. */
export function compareLimits(pair: SchemaPair): void {
  const { before, after, direction } = pair;
  const isTechnical = "x-technical-limit" in before || "x-technical-limit" in after;
  const apart = bounds.filter(([, exclusive]) => !isTechnical && (exclusive in before || exclusive in after));
  for (const keys of apart) compareBound(pair, keys);
  const separate: string[] = apart.flat();
  const single = [...maximums, ...minimums].filter((key) => !separate.includes(key));
  const changed = single.filter((key) => compareLimit(pair, key));
  if (changed.length === 0 && !same(before["x-technical-limit"], after["x-technical-limit"]))
    reportKey(pair, "x-technical-limit", "annotation-changed");
  for (const key of formats.filter((one) => !same(before[one], after[one])))
    reportEffect(pair, "format", effectOf(pair, key), key);
  const kinds = { set: `${direction}-constraint-narrowed`, unset: `${direction}-constraint-widened` };
  const effect = after.uniqueItems === true ? "narrowed" : "widened";
  compareFlag(pair, "uniqueItems", kinds, {
    effect,
    name: keyAt(pair, "uniqueItems"),
  });
}

/** Compares the bounds of a number if one of them is exclusive. */
function compareBound(pair: SchemaPair, keys: readonly [string, string]): void {
  const [before, after] = [boundOf(pair.before, keys), boundOf(pair.after, keys)];
  const difference = after.least - before.least || Number(after.isBeyond) - Number(before.isBeyond);
  if (difference === 0 || Number.isNaN(difference)) return;
  const key = after.key in pair.after ? after.key : before.key;
  const details = { before: before.shown, after: after.shown };
  reportEffect(pair, "limit", difference > 0 ? "narrowed" : "widened", key, details);
}

/** The narrower one of two bounds: the lowest valid number, or the highest one, negated; only what is beyond it is valid if it is exclusive. */
function boundOf(node: Node, [inclusive, exclusive]: readonly [string, string]) {
  const sign = inclusive === "minimum" ? 1 : -1;
  const [least = 0, above = 0] = [node[inclusive], node[exclusive]].map((value) =>
    typeof value === "number" ? sign * value : Number.NEGATIVE_INFINITY,
  );
  if (above < least || above === Number.NEGATIVE_INFINITY)
    return { key: inclusive, least, isBeyond: false, shown: node[inclusive] };
  const shown = `${sign > 0 ? "above" : "below"} ${node[exclusive]}`;
  // Integers above 0 are at least 1.
  const isInteger = same(typesOf(node.type), ["integer"]);
  return { key: exclusive, least: isInteger ? Math.floor(above) + 1 : above, isBeyond: !isInteger, shown };
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
  const details = { name: keyAt(pair, key), before, after };
  if (isWithdrawn) reportKey(pair, key, `${pair.direction}-limit-withdrawn`, { ...details, effect });
  else reportEffect(pair, "limit", effect, key, details);
  return true;
}

function limitEffect(key: string, before: unknown, after: unknown): Effect {
  if (before === undefined) return "narrowed";
  if (after === undefined) return "widened";
  return Number(after) > Number(before) === maximums.includes(key) ? "widened" : "narrowed";
}

export const typesOf = (type: unknown): string[] | undefined =>
  type === undefined ? undefined : [...(Array.isArray(type) ? type : [type])].map(String).sort();
