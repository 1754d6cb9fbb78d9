import { listOf, type Node, nodeOf, textOf, textsOf } from "../document/values.ts";
import { type Effect, matchItems, reportItem, reportKey, same } from "./change.ts";
import { nameAt, reportEffect, type SchemaPair } from "./schema-pair.ts";

/** The keywords that choose between variants. */
const choices = ["discriminator", "x-variant-by-request"];
/** The keywords that combine schemas. */
export const variantKeys = ["oneOf", "anyOf", "allOf", ...choices];

/** Compares the alternatives of two schemas, and the schemas that apply together. */
export function compareVariants(pair: SchemaPair): void {
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
