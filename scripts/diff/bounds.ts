import { same } from "./found.ts";
import { kindOf, type SchemaPlace } from "./schema.ts";
import { nameAt } from "./values.ts";
import { reportKey } from "./wording.ts";

/** Bounds that a larger number makes wider. */
const upper = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum", "maxContains"];
/** Bounds that a larger number makes narrower. */
const lower = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum", "minContains"];
/** What `x-technical-limit` says to be technical. */
const technical = new Set(["maxLength", "maxItems", "maxProperties", "maximum", "minimum"]);

/** The keywords that say how much, how long and in which writing. */
export const boundKeys = [
  ...upper,
  ...lower,
  "x-technical-limit",
  "pattern",
  "format",
  "x-prefix",
  "contentEncoding",
  "contentMediaType",
  "multipleOf",
  "uniqueItems",
];

/** Compares the bounds of two schemas. A bound marked `x-technical-limit` promises nothing. */
export function compareBounds(place: SchemaPlace): void {
  let isReported = false;
  for (const key of [...upper, ...lower]) isReported = compareBound(place, key) || isReported;
  const { walk, before, after, path } = place;
  if (!isReported && !same(before["x-technical-limit"], after["x-technical-limit"])) {
    reportKey(walk, "mark-changed", before, after, path, "x-technical-limit");
  }
  for (const key of ["pattern", "format", "x-prefix", "contentEncoding", "contentMediaType", "multipleOf"]) {
    compareWriting(place, key);
  }
  compareUnique(place);
}

function compareBound(place: SchemaPlace, key: string): boolean {
  const { walk, before, after, path, use } = place;
  const wasCeiling = technical.has(key) && before["x-technical-limit"] === true;
  const isCeiling = technical.has(key) && after["x-technical-limit"] === true;
  const one = wasCeiling ? undefined : before[key];
  const other = isCeiling ? undefined : after[key];
  if (same(one, other)) {
    if (same(before[key], after[key])) return false;
    reportKey(walk, "technical-bound-changed", before, after, path, key);
    return true;
  }
  const isWithdrawn = isCeiling && !wasCeiling;
  const effect = isWithdrawn ? "wider" : effectOf(key, one, other);
  const kind = isWithdrawn ? `${use}-limit-withdrawn` : kindOf(use, "limit", effect);
  const side = key in after ? "new" : "old";
  const name = `${nameAt(place)}: ${key}`;
  walk.report({ kind, path: [...path, key], side, name, before: one, after: other, effect });
  return true;
}

function effectOf(key: string, one: unknown, other: unknown): "narrower" | "wider" {
  if (one === undefined) return "narrower";
  if (other === undefined) return "wider";
  return Number(other) > Number(one) === upper.includes(key) ? "wider" : "narrower";
}

function compareWriting(place: SchemaPlace, key: string): void {
  const { walk, before, after, path, use } = place;
  if (same(before[key], after[key])) return;
  const effect = !(key in before) ? "narrower" : !(key in after) ? "wider" : "other";
  const side = key in after ? "new" : "old";
  const name = `${nameAt(place)}: ${key}`;
  const kind = kindOf(use, "writing", effect);
  walk.report({ kind, path: [...path, key], side, name, before: before[key], after: after[key], effect });
}

function compareUnique({ walk, before, after, path, use }: SchemaPlace): void {
  if (same(before.uniqueItems, after.uniqueItems)) return;
  const [was, is] = [before.uniqueItems === true, after.uniqueItems === true];
  if (was === is) {
    reportKey(walk, "schema-rewritten", before, after, path, "uniqueItems");
    return;
  }
  const effect = is ? "narrower" : "wider";
  const side = "uniqueItems" in after ? "new" : "old";
  walk.report({
    kind: kindOf(use, "rule", effect),
    path: [...path, "uniqueItems"],
    side,
    name: "uniqueItems",
    effect,
  });
}
