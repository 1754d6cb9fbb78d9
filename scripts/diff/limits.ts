import { maximums, minimums } from "../document/schema-forms.ts";
import type { Node } from "../document/values.ts";
import { type SchemaPair, same } from "./change.ts";
import { bounds } from "./effective.ts";

export const formats =
  "pattern format x-utc-offset x-prefix contentEncoding contentMediaType multipleOf".split(" ");
const limits = [...maximums, ...minimums].filter((key) => !key.startsWith("exclusive"));
/** The keywords that `x-technical-limit` applies to. */
const technical = ["maxLength", "maxItems", "maxProperties", "maximum", "minimum"];

export function compareLimits(pair: SchemaPair): void {
  const { context, before, after, direction } = pair;
  const { length } = context.changes;
  for (const key of limits) compareLimit(pair, key);
  if (context.changes.length === length && !same(before["x-technical-limit"], after["x-technical-limit"]))
    pair.reportKey("x-technical-limit", "annotation-changed");
  for (const key of formats) pair.compareKeyword("format", key);
  const kinds = { set: `${direction}-constraint-narrowed`, unset: `${direction}-constraint-widened` };
  const effect = after.uniqueItems === true ? "narrowed" : "widened";
  pair.compareFlag("uniqueItems", kinds, { effect, name: pair.keyName("uniqueItems") });
}

/** Compares one limit. One marked `x-technical-limit` is not part of the contract. */
function compareLimit(pair: SchemaPair, inclusive: string): void {
  const [before, after] = [boundOf(pair.before, inclusive), boundOf(pair.after, inclusive)];
  const difference = after.least - before.least || Number(after.isBeyond) - Number(before.isBeyond);
  if (difference === 0 || Number.isNaN(difference)) {
    if ((before.isTechnical || after.isTechnical) && !same(pair.before[inclusive], pair.after[inclusive]))
      pair.reportKey(inclusive, "technical-limit-changed");
    return;
  }
  const effect = difference > 0 ? "narrowed" : "widened";
  const key = after.key in pair.after ? after.key : before.key;
  const isWithdrawn = after.isTechnical && !before.isTechnical;
  const details = { effect, name: pair.keyName(key), before: before.shown, after: after.shown } as const;
  pair.reportKey(key, `${pair.direction}-limit-${isWithdrawn ? "withdrawn" : effect}`, details);
}

/** The narrower one of two bounds: the lowest valid number, or the highest one, negated; only what is beyond it is valid if it is exclusive. */
function boundOf(node: Node, inclusive: string) {
  const [, exclusive = ""] = bounds.find(([one]) => one === inclusive) ?? [];
  const isTechnical = technical.includes(inclusive) && node["x-technical-limit"] === true;
  const limit = isTechnical ? undefined : node[inclusive];
  const sign = inclusive.startsWith("min") ? 1 : -1;
  const [least = 0, above = 0] = [limit, node[exclusive]].map((value) =>
    typeof value === "number" ? sign * value : Number.NEGATIVE_INFINITY,
  );
  if (above < least || above === Number.NEGATIVE_INFINITY)
    return { isTechnical, key: inclusive, least, isBeyond: false, shown: limit };
  // Integers above 0 are at least 1.
  const isInteger = same(typesOf(node.type), ["integer"]);
  return {
    isTechnical,
    key: exclusive,
    least: isInteger ? Math.floor(above) + 1 : above,
    isBeyond: !isInteger,
    shown: `${sign > 0 ? "above" : "below"} ${node[exclusive]}`,
  };
}

export const typesOf = (type: unknown): string[] | undefined =>
  type === undefined ? undefined : [...(Array.isArray(type) ? type : [type])].map(String).sort();
