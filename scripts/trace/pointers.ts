import { at, pointerOf, segments } from "../reference.ts";

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * Tells whether anything stands at a pointer. `*` stands for any segment, and a `$ref` on the way is followed,
 * so that a pointer may go through an operation into the shared answer it points to.
 */
export function exists(document: unknown, pointer: string): boolean {
  let reached = [document];
  for (const segment of segments(pointer)) {
    reached = reached
      .flatMap((value) => withTargets(document, value))
      .flatMap((node) => childrenOf(node, segment));
  }
  return reached.length > 0;
}

/**
 * The places where a list under `key` names an id: id to JSON pointers, in document order.
 * The pointer is that of the node that carries the list.
 */
export function namings(document: unknown, key: string): Map<string, string[]> {
  const places = new Map<string, string[]>();
  visit(document, [], (node, pointer) => {
    const ids = node[key];
    if (!Array.isArray(ids)) return;
    for (const id of ids) places.set(String(id), [...(places.get(String(id)) ?? []), pointer]);
  });
  return places;
}

function visit(
  value: unknown,
  path: readonly string[],
  see: (node: Record<string, unknown>, pointer: string) => void,
): void {
  if (!isNode(value)) return;
  see(value, pointerOf(path));
  for (const [key, child] of Object.entries(value)) visit(child, [...path, key], see);
}

function childrenOf(node: Record<string, unknown>, segment: string): unknown[] {
  if (segment === "*") return Object.values(node);
  return Object.hasOwn(node, segment) ? [node[segment]] : [];
}

/** The node and whatever its `$ref` leads to, a chain of them included. */
function withTargets(document: unknown, value: unknown): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  let current = value;
  while (isNode(current) && !nodes.includes(current)) {
    nodes.push(current);
    const { $ref } = current;
    if (typeof $ref !== "string" || !$ref.startsWith("#/")) break;
    current = at(document, $ref);
  }
  return nodes;
}
