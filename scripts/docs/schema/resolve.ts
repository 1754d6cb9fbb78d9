import { nameOf } from "../../document/json-pointer.ts";
import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";

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
  const target = dereference<Schema>(document, { $ref });
  return { schema: { ...withMarks(target, beside), ...pickWords(beside) }, name: nameOf($ref) };
}

const pickWords = ({ "x-encodes": _encoded, "x-leaves-unspecified": _open, ...words }: Schema): Schema =>
  words;

/** The schema with the marks of the place where it stands before its own. */
export function withMarks(schema: Schema, place: object): Schema {
  const marked: Schema = { ...schema };
  for (const mark of ["x-encodes", "x-leaves-unspecified"] as const) {
    const both = new Set([...((place as Schema)[mark] ?? []), ...(schema[mark] ?? [])]);
    if (both.size > 0) marked[mark] = [...both];
  }
  return marked;
}
