import { nameOf } from "../../document/json-pointer.ts";
import { dereference } from "../../document/references.ts";
import { withTypeList } from "../../document/schema-forms.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { inWords, schemaPath } from "../page.ts";
import { either, siteLink } from "../text/markdown.ts";
import { mergedIds } from "../text/requirement-notes.ts";

/** A schema, and its component name if it was a `$ref`. */
interface ResolvedSchema {
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
