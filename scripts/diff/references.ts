import { valueAtPointer } from "../document/json-pointer.ts";
import { isNode, type Node } from "../document/values.ts";

/** The node itself, where it may be a pointer into its document; what stands beside the `$ref` goes before. */
export function dereferenced(document: Node, node: Node): Node {
  let current = node;
  for (let steps = 0; typeof current.$ref === "string" && steps < 20; steps += 1) {
    const { $ref, ...beside } = current;
    const target = valueAtPointer(document, $ref as string);
    if (!isNode(target)) return beside;
    current = { ...target, ...beside };
  }
  return current;
}
