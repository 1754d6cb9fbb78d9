import { nameOf } from "../../document/json-pointer.ts";
import { dereference } from "../../document/references.ts";
import { withTypeList } from "../../document/schema-forms.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { mergedIds } from "../text/small-print.ts";

/** A schema, and its component name if it was a `$ref`. */
export interface ResolvedSchema {
  schema: Schema;
  name: string | undefined;
}

/** Resolves a schema's `$ref`. Keywords beside the `$ref` override those of its target; ids of both are kept. */
export function resolveSchema(document: OpenApiDocument, schema: Schema): ResolvedSchema {
  if (schema.$ref === undefined) return { schema: withTypeList(schema), name: undefined };
  const { $ref, ...siblings } = schema;
  const target = dereference<Schema>(document, { $ref });
  const merged = withTypeList({ ...target, ...siblings, ...mergedIds(siblings, target) });
  return { schema: merged, name: nameOf($ref) };
}
