import type { Schema } from "./types.ts";
import { isNode, listOf, type Node, textsOf } from "./values.ts";

/** The keywords of upper bounds, and of lower ones. */
export const maximums = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
export const minimums = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];

const simple = new Set<unknown>(["string", "number", "integer", "boolean", "null"]);

/** The keywords that apply to values of every type. */
const general = ["$ref", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if"];

/** Whether the schema has a single type other than objects and arrays, and only keywords for values of this type. */
const isSimple = (schema: unknown): schema is Node =>
  isNode(schema) && simple.has(schema.type) && !general.some((keyword) => keyword in schema);

/** Whether each alternative is a simple type of its own. */
function isTypeChoice({ oneOf }: Node): boolean {
  if (!Array.isArray(oneOf) || !oneOf.every(isSimple)) return false;
  // An integer is a number too.
  const types = oneOf.map(({ type }) => (type === "integer" ? "number" : type));
  return new Set(types).size === types.length;
}

/**
 * A choice between single types (`oneOf: [{ type: string, maxLength: 9 }, { type: number }]`) as a schema with a list of types;
 * any other schema unchanged. A keyword such as `maxLength` applies to values of its type only, so both accept the same values.
 */
export function withTypeList<Given extends Node>(schema: Given): Given {
  if (!isTypeChoice(schema)) return schema;
  const { oneOf, ...rest } = schema;
  const choices = listOf(oneOf).filter(isNode);
  // The format of a number is only its size in bits.
  const keywords = choices.map(({ type, format, ...others }) =>
    type === "string" && format !== undefined ? { ...others, format } : others,
  );
  return Object.assign({}, ...keywords, rest, { type: choices.map(({ type }) => type) }) as Given;
}

const part = (schema: unknown): Schema => (schema ?? {}) as Schema;

/**
 * What the response to a request with, or without, the property in `x-variant-by-request` is: the object with that property
 * and the schema of `then`, or without it and with the schema of `else`. What only the other variant requires is left out.
 */
export function variantOf(schema: Schema, hasProperty: boolean): Schema {
  const { "x-variant-by-request": name = "", if: _, then: present, else: absent, ...object } = schema;
  const withProperty = { ...part(present), required: [name, ...(part(present).required ?? [])] };
  const [own, other] = hasProperty ? [withProperty, part(absent)] : [part(absent), withProperty];
  const properties = { ...object.properties, ...own.properties };
  for (const foreign of other.required ?? []) delete properties[foreign];
  return { ...object, properties, required: [...(object.required ?? []), ...(own.required ?? [])] };
}

/** The names of the properties that a schema excludes: `not: { required: [subject] }`, or `anyOf` several of these. */
export const excludedProperties = ({ not }: Node): string[] => {
  if (!isNode(not)) return [];
  const cases = "anyOf" in not ? listOf(not.anyOf) : [not];
  const names = cases.map((one) => (isNode(one) ? textsOf(listOf(one.required)) : []));
  return names.filter(({ length }) => length === 1).flat();
};
