import type { Schema } from "./types.ts";

const part = (schema: unknown): Schema => (schema ?? {}) as Schema;

/**
 * What the response to a request with, or without, the property in `x-variant-by-request` is: the object with that property
 * and the schema of `then`, or without it and with the schema of `else`. What only the other variant requires is left out.
 */
export function variantOf(schema: Schema, hasProperty: boolean): Schema {
  const { "x-variant-by-request": name = "", if: _, then: present, else: absent, ...object } = schema;
  const withProperty = { ...part(present), required: [name, ...(part(present).required ?? [])] };
  const [own, other] = hasProperty ? [withProperty, part(absent)] : [part(absent), withProperty];
  const properties = { ...object.properties, ...own.properties };
  for (const foreign of other.required ?? []) delete properties[foreign];
  return { ...object, properties, required: [...(object.required ?? []), ...(own.required ?? [])] };
}
