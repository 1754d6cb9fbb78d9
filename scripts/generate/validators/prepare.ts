import { mapSchema } from "../../document/sub-schemas.ts";
import type { Schema } from "../../document/types.ts";

const annotations = [
  "title",
  "description",
  "default",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
];
const ceilings = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];

/** How a set of validators reads the schemas. */
export interface Reading {
  /** Whether upper bounds marked `x-technical-limit` count. They are bounds of the document, not promises of the service. */
  ceilings: boolean;
}

/** The schema as a validator needs it: without words, with base64 as a format, its references by name. */
export function prepared(schema: Schema, reading: Reading): Schema {
  return mapSchema(schema, (inner) => {
    const dropped =
      reading.ceilings || inner["x-technical-limit"] !== true ? annotations : [...annotations, ...ceilings];
    const kept = Object.entries(inner).filter(([key]) => !key.startsWith("x-") && !dropped.includes(key));
    const { contentEncoding, $ref, ...rest } = Object.fromEntries(kept) as Schema;
    return {
      ...rest,
      ...($ref === undefined ? {} : { $ref: referenceById($ref) }),
      ...(contentEncoding === undefined ? {} : { format: String(contentEncoding) }),
    };
  });
}

/** `#/components/schemas/Note/properties/id` as `Note#/properties/id`: every schema is known by its name. */
function referenceById(reference: string): string {
  const [, name = "", path = ""] = /^#\/components\/schemas\/([^/]+)(.*)$/.exec(reference) ?? [];
  return path === "" ? name : `${name}#${path}`;
}
