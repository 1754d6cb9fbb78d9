import { UserError } from "../../lib/user-error.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import type { LimitRow, OpenApiDocument } from "../document/types.ts";
import { isNode } from "../document/values.ts";

/**
 * The number of one row: written there, or standing in the schema keyword that it points at.
 * Throws a Failure that names the row and the pointer when no number stands there.
 */
export function limitOf(document: OpenApiDocument, name: string, row: LimitRow): number {
  if ("value" in row) return row.value;
  const schema = valueAtPointer(document, row.schema);
  const number = isNode(schema) ? schema[row.keyword] : undefined;
  if (typeof number === "number") return number;
  throw new UserError(`openapi/limits.yaml: ${name}: there is no number at ${row.schema}/${row.keyword}`, {
    hint: "Point at a schema that has the keyword, or write the number as `value`.",
  });
}
