import { isNode, type Located, type Node, nodeOf, type Path, pathOf, valueAt } from "./values.ts";

/**
 * Follows `$ref`s inside the document to the object that they end at.
 * A reference that leads nowhere, or in a circle, ends where it stands: built-in rules report those.
 */
export const follow = (document: Node, path: Path, value: unknown): Located => {
  let located: Located = { path, value: nodeOf(value) };
  for (let step = 0; step < 20 && typeof located.value.$ref === "string"; step += 1) {
    const target = pathOf(located.value.$ref);
    const next = valueAt(document, target);
    if (!located.value.$ref.startsWith("#/") || !isNode(next)) return located;
    located = { path: target, value: next };
  }
  return located;
};

/**
 * The schema with its `$ref` followed; keywords beside the `$ref` win over those of its target,
 * as a description beside it is the one that readers see.
 */
export const resolveSchema = (document: Node, schema: unknown): Node => {
  const { $ref, ...beside } = nodeOf(schema);
  if (typeof $ref !== "string") return nodeOf(schema);
  const { $ref: unresolved, ...target } = follow(document, [], schema).value;
  return { ...target, ...beside };
};
