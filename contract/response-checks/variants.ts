import { variantOf as newVariantOf } from "../../scripts/document/schema-forms.ts";
import type { Schema } from "../document.ts";

const variants = { true: new WeakMap<Schema, Schema>(), false: new WeakMap<Schema, Schema>() };

/** What the response to a request with, or without, the property in `x-variant-by-request` is: always the same object. */
export function variantOf(schema: Schema, hasProperty: boolean): Schema {
  const known = variants[`${hasProperty}`];
  const found = known.get(schema) ?? newVariantOf(schema, hasProperty);
  known.set(schema, found);
  return found;
}
