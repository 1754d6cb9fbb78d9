import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { canonical, type Effect, same } from "./found.ts";
import { compareSchema, kindOf, type SchemaPlace } from "./schema.ts";
import { nameAt } from "./values.ts";

/** The keywords that put a schema together of others. */
export const variantKeys = ["oneOf", "anyOf", "allOf", "discriminator"];

/** Compares the alternatives of two schemas, and what they have to meet all at once. */
export function compareVariants(place: SchemaPlace): void {
  const { walk, before, after, path, use } = place;
  const rewritten = exchanged(before, after);
  if (rewritten === undefined) for (const key of ["oneOf", "anyOf"]) compareBranches(place, key);
  else {
    // "Exactly one" allows less than "at least one".
    const effect: Effect = rewritten === "oneOf" ? "narrower" : "wider";
    const name = nameAt(place);
    walk.report({ kind: kindOf(use, "rule", effect), path: [...path, rewritten], side: "new", name, effect });
  }
  compareBranches(place, "allOf");
  if (same(before.discriminator, after.discriminator)) return;
  const side = "discriminator" in after ? "new" : "old";
  const kind = kindOf(use, "rule", "other");
  walk.report({ kind, path: [...path, "discriminator"], side, name: "discriminator", effect: "other" });
}

function exchanged(before: Node, after: Node): "oneOf" | "anyOf" | undefined {
  if ("oneOf" in before && "anyOf" in after && !("oneOf" in after)) return "anyOf";
  if ("anyOf" in before && "oneOf" in after && !("anyOf" in after)) return "oneOf";
  return undefined;
}

function compareBranches(place: SchemaPlace, key: string): void {
  const { walk, before, after, path, use } = place;
  const [old, young] = [listOf(before[key]).map(nodeOf), listOf(after[key]).map(nodeOf)];
  const { pairs, removed, added } = matched(old, young);
  for (const [one, other] of pairs) {
    compareSchema(walk, old[one], young[other], [...path, key, other], use);
  }
  for (const index of removed) {
    // Where nothing is left to choose from, everything is allowed.
    const isWider = key === "allOf" || young.length === 0;
    reportBranch(place, old[index], [...path, key, index], {
      side: "old",
      effect: isWider ? "wider" : "narrower",
      key,
    });
  }
  for (const index of added) {
    const isNarrower = key === "allOf" || old.length === 0;
    reportBranch(place, young[index], [...path, key, index], {
      side: "new",
      effect: isNarrower ? "narrower" : "wider",
      key,
    });
  }
  const isMoved = pairs.some(([one, other]) => one !== other);
  if (removed.length + added.length === 0 && isMoved) {
    walk.report({ kind: "order-changed", path: [...path, key], side: "new", name: key });
  }
}

function reportBranch(
  { walk, use }: SchemaPlace,
  branch: Node | undefined,
  path: Path,
  { side, effect, key }: { side: "old" | "new"; effect: "narrower" | "wider"; key: string },
): void {
  const name = textOf(branch?.$ref).split("/").at(-1) || textOf(branch?.title) || textOf(branch?.type) || key;
  const isNull = branch?.type === "null";
  const isRule = key === "allOf" || (side === "new") === (effect === "narrower");
  const plain = `${use}-variant-${side === "new" ? "added" : "removed"}`;
  const kind = isNull ? kindOf(use, "type", effect) : isRule ? kindOf(use, "rule", effect) : plain;
  walk.report({ kind, path, side, name, effect });
}

/** Which branch of the one list is which of the other: the same, by reference or title, or at the same place. */
function matched(
  old: Node[],
  young: Node[],
): { pairs: [number, number][]; removed: number[]; added: number[] } {
  const pairs: [number, number][] = [];
  const free = (index: number, side: 0 | 1): boolean => pairs.every((pair) => pair[side] !== index);
  const pair = (isPair: (one: Node, other: Node, at: [number, number]) => boolean): void => {
    for (const [index, one] of old.entries()) {
      const found = young.findIndex((other, place) => free(place, 1) && isPair(one, other, [index, place]));
      if (free(index, 0) && found >= 0) pairs.push([index, found]);
    }
  };
  pair((one, other) => canonical(one) === canonical(other));
  pair((one, other) => one.$ref !== undefined && one.$ref === other.$ref);
  pair((one, other) => one.title !== undefined && one.title === other.title);
  const isInline = (schema: Node): boolean => schema.$ref === undefined;
  const isKin = (one: Node, other: Node): boolean => canonical(one.type) === canonical(other.type);
  if (old.length === young.length)
    pair((one, other, [from, to]) => from === to && isInline(one) && isInline(other) && isKin(one, other));
  return {
    pairs,
    removed: [...old.keys()].filter((index) => free(index, 0)),
    added: [...young.keys()].filter((index) => free(index, 1)),
  };
}
