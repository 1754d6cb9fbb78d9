import type { Schema } from "./types.ts";

const part = (schema: unknown): Schema => (schema ?? {}) as Schema;

/**
 * What the response to a request with, or without, the property in `x-variant-by-request` is: the object with that property
 * and the schema of `then`, or without it and with the schema of `else`.
 */
export function variantOf(schema: Schema, hasProperty: boolean): Schema {
  const { "x-variant-by-request": name = "", if: _, then: present, else: absent, ...object } = schema;
  const own = part(hasProperty ? present : absent);
  const properties = { ...object.properties, ...own.properties };
  if (!hasProperty) delete properties[name];
  const required = [...(object.required ?? []), ...(hasProperty ? [name] : []), ...(own.required ?? [])];
  return { ...object, properties, required };
}
