import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { schemaAddress } from "../addresses.ts";
import { either, siteLink } from "../markdown.ts";
import { placed } from "./resolve.ts";

const plurals: Record<string, string> = {
  string: "strings",
  integer: "integers",
  number: "numbers",
  boolean: "booleans",
  object: "objects",
};

/** The type of a value in words, with a link where it is an object with a page of its own. */
export function typeWords(document: OpenApiDocument, given: Schema): string {
  const { schema, name } = placed(document, given);
  const variants = schema.anyOf ?? schema.oneOf;
  if (name !== undefined && schema.title !== undefined && !isNullable(schema))
    return siteLink(String(schema.title), schemaAddress(name, schema));
  if (variants !== undefined) return either(variants.map((variant) => typeWords(document, variant)));
  if (schema.type === "array") return `list of ${entryWords(document, schema.items ?? {})}`;
  const types = [schema.type ?? "any value"].flat();
  return either(types.map((type) => (type === "string" ? stringWords(schema) : type)));
}

const isNullable = ({ anyOf }: Schema): boolean => anyOf?.some(({ type }) => type === "null") === true;

/** Formats that say more than the type does; `int32` and `int64` tell machines how much room to take. */
const stringWords = ({ format }: Schema): string =>
  format === undefined ? "string" : `string (${String(format)})`;

function entryWords(document: OpenApiDocument, items: Schema): string {
  const { schema } = placed(document, items);
  const plain =
    typeof schema.type === "string" && schema.title === undefined ? plurals[schema.type] : undefined;
  return plain ?? typeWords(document, items);
}
