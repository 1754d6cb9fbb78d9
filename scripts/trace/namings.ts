import { pointerOf } from "../document/json-pointer.ts";

const hasParts = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

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
  if (!hasParts(value)) return;
  see(value, pointerOf(path));
  for (const [key, child] of Object.entries(value)) visit(child, [...path, key], see);
}
