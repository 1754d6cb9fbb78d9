import { compareFlag, type Effect, reportKey, same } from "./change.ts";
import { effectOf, nameAt, reportEffect, type SchemaPair } from "./schema-pair.ts";

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
