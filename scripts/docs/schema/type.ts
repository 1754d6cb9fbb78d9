import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { either, siteLink } from "../text/markdown.ts";
import { inWords, schemaPath } from "../text/page-paths.ts";
import { resolveSchema } from "./resolve-schema.ts";

const simpleTypes = ["string", "integer", "number", "boolean", "object"];

/** The type of a value, with a link if it is an object with its own page: `array of strings`, `Bounce or null`. */
export function typeText(document: OpenApiDocument, given: Schema): string {
  const { schema, name } = resolveSchema(document, given);
  const variants = schema.anyOf ?? schema.oneOf;
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
  if (name !== undefined && schema.title !== undefined && !isNullable)
    return siteLink(inWords(name), schemaPath(name, schema));
  if (variants !== undefined) return either(variants.map((variant) => typeText(document, variant)));
  if (schema.type === "array") return `array of ${itemType(document, schema.items ?? {})}`;
  const types = [schema.type ?? "any value"].flat();
  // Formats of numbers only describe how much memory a value takes.
  const offset = { zero: " in UTC", any: " with a UTC offset", none: "" }[schema["x-utc-offset"] ?? "none"];
  const format = schema.format === undefined ? "" : ` (${String(schema.format)}${offset})`;
  return either(types.map((type) => (type === "string" ? `string${format}` : type)));
}

function itemType(document: OpenApiDocument, items: Schema): string {
  const { type, title } = resolveSchema(document, items).schema;
  const isSimple = typeof type === "string" && simpleTypes.includes(type) && title === undefined;
  return isSimple ? `${type}s` : typeText(document, items);
}
