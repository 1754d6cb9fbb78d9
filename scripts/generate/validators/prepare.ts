import { withTypeList } from "../../document/schema-forms.ts";
import { mapSchema } from "../../document/schemas.ts";
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
const upperBounds = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];

/** Whether upper bounds marked `x-technical-limit` count. They are bounds of the document, not of the service. */
export type Bounds = { technicalLimits: boolean };

/**
 * The schema as a validator needs it: without annotations, with base64 and UTC as formats, with `$ref`s by name. A choice between
 * single types becomes a list of types, which has one error instead of one for each type.
 */
export function prepared(schema: Schema, { technicalLimits }: Bounds): Schema {
  return mapSchema(schema, (given) => {
    const inner = withTypeList(given);
    const unbounded = technicalLimits || inner["x-technical-limit"] !== true ? [] : upperBounds;
    const dropped = [...annotations, ...unbounded];
    const kept = Object.entries(inner).filter(([key]) => !key.startsWith("x-") && !dropped.includes(key));
    const { contentEncoding, $ref, ...rest } = Object.fromEntries(kept) as Schema;
    return {
      ...rest,
      ...($ref === undefined ? {} : { $ref: referenceById($ref) }),
      ...(contentEncoding === undefined ? {} : { format: String(contentEncoding) }),
      ...(inner["x-utc-offset"] === "zero" ? { format: "date-time-in-utc" } : {}),
    };
  });
}

/** `#/components/schemas/Note/properties/id` as `Note#/properties/id`: every schema is known by its name. */
function referenceById(reference: string): string {
  const [, name = "", path = ""] = /^#\/components\/schemas\/([^/]+)(.*)$/.exec(reference) ?? [];
  return path === "" ? name : `${name}#${path}`;
}
