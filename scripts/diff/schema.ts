import { resolveSchema } from "../document/references.ts";
import { isNode, type Node, type Path } from "../document/values.ts";
import { type Context, same } from "./change.ts";
import { compareConstraints, constraintKeys } from "./constraints.ts";
import { compareLimits, limitKeys } from "./limits.ts";
import { compareProperties, propertyKeys } from "./properties.ts";
import { compareRest, compareTargets, isEditorial } from "./rest.ts";
import type { Direction, SchemaPair } from "./schema-pair.ts";
import { compareValues, valueKeys } from "./values.ts";
import { compareVariants, variantKeys } from "./variants.ts";

const known = ["$ref", ...limitKeys, ...propertyKeys, ...constraintKeys, ...valueKeys, ...variantKeys];

/** Compares two schemas. A component that both refer to is compared by itself, not here. */
export function compareSchema(
  context: Context,
  [base, revision]: [unknown, unknown],
  path: Path,
  direction: Direction,
): void {
  if (same(base, revision)) return;
  const [before, after] = [asNode(base), asNode(revision)];
  const pair = { context, before, after, path, direction, compareInside };
  if (before.$ref !== after.$ref) {
    // A schema that contains itself under two names has no end.
    compareTargets(pair, path.length < 60 ? compareKeywords : () => {});
    return;
  }
  compareKeywords({
    ...pair,
    before: withInherited(context, before, after),
    after: withInherited(context, after, before),
  });
}

const compareInside: SchemaPair["compareInside"] = ({ context, path, direction }, schemas, steps) =>
  compareSchema(context, schemas, [...path, ...steps], direction);

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
