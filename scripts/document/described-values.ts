import { follow } from "./references.ts";
import { subSchemas } from "./sub-schemas.ts";
import type { Located, Path } from "./values.ts";

/** A value of an example, and a schema that describes it. */
export interface DescribedValue {
  path: Path;
  value: unknown;
  schema: Located;
}

/** The keywords whose schemas describe the value itself. */
const variants = new Set(["oneOf", "anyOf", "allOf"]);

/** The value, and the values in it, with every schema that describes each; conditions are omitted. */
export function* describedValues(
  document: object,
  schema: Located,
  { path, value }: { path: Path; value: unknown },
): Generator<DescribedValue> {
  const target = follow(document, schema.path, schema.value);
  yield { path, value, schema: target };
  for (const part of subSchemas(target.value)) {
    const [keyword, name] = part.path;
    const inner = follow(document, [...target.path, ...part.path], part.schema);
    if (variants.has(String(keyword))) yield* describedValues(document, inner, { path, value });
    else if (keyword === "properties" || keyword === "items")
      for (const [key, entry] of entriesIn(value))
        if (keyword === "items" ? Array.isArray(value) : key === name)
          yield* describedValues(document, inner, { path: [...path, key], value: entry });
  }
}

const entriesIn = (value: unknown): [string | number, unknown][] => {
  if (Array.isArray(value)) return [...value.entries()];
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
};
