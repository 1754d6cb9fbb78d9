import { isNode, type Node, nodeOf, type Path } from "../document/values.ts";
import { boundKeys, compareBounds } from "./bounds.ts";
import { compareFields, fieldKeys } from "./fields.ts";
import { type Effect, type Found, same, type Use, type Walk } from "./found.ts";
import { dereferenced } from "./references.ts";
import { compareRules, ruleKeys } from "./rules.ts";
import { compareValues, valueKeys } from "./values.ts";
import { compareVariants, variantKeys } from "./variants.ts";
import { compareRest, isWording } from "./wording.ts";

const known = new Set(["$ref", ...boundKeys, ...fieldKeys, ...ruleKeys, ...valueKeys, ...variantKeys]);

/** One place where two schemas are compared. */
export interface SchemaPlace {
  walk: Walk;
  before: Node;
  after: Node;
  path: Path;
  use: Use;
}

/**
 * Compares two schemas and reports each difference once. What both refer to by the same name is compared where that
 * stands, not here.
 */
export function compareSchema(walk: Walk, before: unknown, after: unknown, path: Path, use: Use): void {
  if (same(before, after)) return;
  const one = asNode(before);
  const other = asNode(after);
  if (one.$ref === other.$ref) {
    const [old, young] = [besides(walk, one, other), besides(walk, other, one)];
    compareKeywords({ walk, before: old, after: young, path, use });
    return;
  }
  let isReported = false;
  const report = (found: Found): void => {
    isReported = true;
    walk.report(found);
  };
  if (path.length < 60) {
    compareKeywords({
      walk: { ...walk, report },
      before: dereferenced(walk.before, one),
      after: dereferenced(walk.after, other),
      path,
      use,
    });
  }
  if (isReported) return;
  const name = String(path.at(-1));
  walk.report({ kind: "reference-changed", path, side: "new", name, before: one.$ref, after: other.$ref });
}

/** A keyword beside a reference narrows what the part itself says of it: where one side has it, both are told in full. */
function besides(walk: Walk, node: Node, other: Node): Node {
  if (typeof node.$ref !== "string") return node;
  const target = dereferenced(walk.before, { $ref: node.$ref });
  const inherited = Object.keys(other).filter((key) => !isWording(key) && !(key in node) && key in target);
  return { ...Object.fromEntries(inherited.map((key) => [key, target[key]])), ...node };
}

function compareKeywords(place: SchemaPlace): void {
  compareValues(place);
  compareBounds(place);
  compareFields(place);
  compareVariants(place);
  compareRules(place);
  compareRest(place.walk, place.before, place.after, place.path, known);
}

/** A schema may be `true` or `false`. */
const asNode = (schema: unknown): Node =>
  schema === false ? { not: {} } : isNode(schema) ? schema : nodeOf(undefined);

/** The name of a kind: what the schema is for, what it is about, and what became of it. */
export const kindOf = (use: Use, thing: string, effect: Effect): string =>
  `${use}-${thing}-${{ narrower: "narrowed", wider: "widened", other: "changed" }[effect]}`;
