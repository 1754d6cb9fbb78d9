import type { Schema } from "../document.ts";
import { mapValues } from "../map-values.ts";
import { isRecord } from "../reference.ts";

const single = ["items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"];
const lists = ["oneOf", "anyOf", "allOf", "prefixItems"];
const maps = ["properties", "patternProperties", "dependentSchemas", "$defs"];
const unevaluated = ["unevaluatedProperties", "unevaluatedItems"];

/**
 * A copy of a schema in which `change` has been applied to every schema in it, the innermost first.
 * Only keywords that hold schemas are entered: a property named `maxLength` is a property, and an example is data.
 */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const enter = (value: unknown): unknown => (isRecord(value) ? mapSchema(value, change) : value);
  const copy: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (single.includes(keyword) || unevaluated.includes(keyword)) copy[keyword] = enter(value);
    else if (lists.includes(keyword) && Array.isArray(value)) copy[keyword] = value.map(enter);
    else if (maps.includes(keyword) && isRecord(value)) copy[keyword] = mapValues(value, enter);
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
