import type { OpenApiDocument, Schema } from "../../document.ts";
import { nameOf, resolved } from "../../reference.ts";

/** A schema with what its place says beside the pointer to it. */
export interface Placed {
  schema: Schema;
  /** The name that the document gives it; undefined for one that stands where it is used. */
  name: string | undefined;
}

/**
 * What a place says of a value: the schema that it points to, with the words of the place before those of the schema
 * (JSON Schema 2020-12 lets both stand), and the marks of both.
 */
export function placed(document: OpenApiDocument, schema: Schema): Placed {
  if (schema.$ref === undefined) return { schema, name: undefined };
  const { $ref, ...beside } = schema;
  const target = resolved<Schema>(document, { $ref });
  const merged: Schema = { ...target, ...beside };
  for (const mark of ["x-encodes", "x-leaves-open"] as const) {
    const both = [...new Set([...(beside[mark] ?? []), ...(target[mark] ?? [])])];
    if (both.length > 0) merged[mark] = both;
  }
  return { schema: merged, name: nameOf($ref) };
}
