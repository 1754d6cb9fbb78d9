import { mapValues } from "../../lib/map-values.ts";
import type { Schema } from "./types.ts";
import { isNode, type Node, type Path } from "./values.ts";

/** A subschema, which may be a boolean. */
export interface SubSchema {
  path: Path;
  schema: unknown;
  suffix: string;
  property: string | undefined;
  condition: boolean;
}

/** The keywords with schemas by name, and the suffix of each in messages. */
const maps = new Map<string, (key: string) => string>([
  ["properties", (key) => `.${key}`],
  ["patternProperties", (key) => `./${key}/`],
  ["dependentSchemas", (key) => ` with ${key}`],
  ["$defs", (key) => `#${key}`],
  // Its name before 2019-09.
  ["definitions", (key) => `#${key}`],
]);

/** The keywords with one schema, and its suffix in messages. */
const singles = new Map([
  ["items", "[]"],
  ["contains", "[]"],
  ["additionalProperties", ".*"],
  ["unevaluatedProperties", ".*"],
  ["unevaluatedItems", "[]"],
  ["propertyNames", " (names)"],
  ["not", " (not)"],
  ["if", " (if)"],
  ["then", " (then)"],
  ["else", " (else)"],
]);

/** The keywords with a list of schemas; `items` had one before 2020-12. */
const lists = new Set(["oneOf", "anyOf", "allOf", "prefixItems", "items"]);

const conditions = new Set(["not", "if", "then", "else"]);

/** The direct subschemas of a schema, booleans included. */
export const subSchemas = (schema: Node): SubSchema[] =>
  Object.entries(schema).flatMap(([keyword, value]): SubSchema[] => {
    const place = { property: undefined, condition: conditions.has(keyword) };
    const suffixOf = maps.get(keyword);
    if (suffixOf !== undefined && isNode(value))
      return Object.entries(value).map(([key, part]) => ({
        ...place,
        path: [keyword, key],
        schema: part,
        suffix: suffixOf(key),
        property: keyword === "properties" ? key : undefined,
      }));
    const suffix = singles.get(keyword);
    if (suffix !== undefined && !Array.isArray(value))
      return [{ ...place, path: [keyword], schema: value, suffix }];
    if (!lists.has(keyword) || !Array.isArray(value)) return [];
    return value.map((part, index) => ({
      ...place,
      path: [keyword, index],
      schema: part,
      suffix: `|${index}`,
    }));
  });

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
