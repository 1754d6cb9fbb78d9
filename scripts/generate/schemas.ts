import { mapValues } from "../../lib/map-values.ts";
import { lists, maps, singles } from "../document/sub-schemas.ts";
import type { Schema } from "../document/types.ts";
import { isNode } from "../document/values.ts";

/**
 * A copy of a schema in which `change` has been applied to every schema in it, the innermost first.
 * Only keywords that hold schemas are entered: a property named `maxLength` is a property, and an example is data.
 */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const enter = (value: unknown): unknown => (isNode(value) ? mapSchema(value, change) : value);
  const copy: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (lists.has(keyword) && Array.isArray(value)) copy[keyword] = value.map(enter);
    else if (singles.has(keyword)) copy[keyword] = enter(value);
    else if (maps.has(keyword) && isNode(value)) copy[keyword] = mapValues(value, enter);
    else copy[keyword] = value;
  }
  return change(copy);
}

/** Every schema in a schema, itself included. References are not followed. */
export function schemasIn(schema: Schema): Schema[] {
  const found: Schema[] = [];
  mapSchema(schema, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}
