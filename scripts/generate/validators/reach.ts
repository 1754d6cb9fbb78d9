import { schemasIn } from "../../document/schemas.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { type Bounds, prepared } from "./prepare.ts";

/** The component schemas that the given ones refer to, directly or indirectly: ready to compile, sorted by name. */
export function reachedFrom(
  document: OpenApiDocument,
  starts: Iterable<Schema>,
  bounds: Bounds,
): Record<string, Schema> {
  const all = document.components.schemas ?? {};
  const names = new Set<string>();
  const pending = [...starts];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    for (const { $ref } of schemasIn(schema)) {
      // The component of "#/components/schemas/Note/properties/id" is the fourth segment.
      const name = $ref?.split("/")[3];
      const target = name === undefined ? undefined : all[name];
      if (name === undefined || target === undefined || names.has(name)) continue;
      names.add(name);
      pending.push(target);
    }
  }
  return Object.fromEntries([...names].sort().map((name) => [name, prepared(all[name] as Schema, bounds)]));
}
