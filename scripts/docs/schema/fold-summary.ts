import { count } from "../../../lib/text.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { resolveSchema } from "./resolve-schema.ts";

/** What is inside a field, for the line that opens it. */
export function foldSummary(document: OpenApiDocument, schema: Schema): string {
  const { properties, items, oneOf, anyOf = [] } = schema;
  if (items !== undefined) {
    const inner = resolveSchema(document, items).schema;
    return (inner.properties ?? inner.oneOf) ? `Each item: ${partsName(inner)}` : "Each item";
  }
  const [only] = anyOf.filter(({ type }) => type !== "null");
  if (oneOf === undefined && properties === undefined && only !== undefined)
    return partsName(resolveSchema(document, only).schema);
  return partsName(schema);
}

function partsName({ properties, oneOf, anyOf }: Schema): string {
  if (oneOf !== undefined || (anyOf?.length ?? 0) > 1)
    return `one of ${(oneOf ?? anyOf ?? []).length} variants`;
  if (properties !== undefined) return count(Object.keys(properties).length, "field");
  return "Names and values";
}
