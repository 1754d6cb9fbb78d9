import { isNode, listOf, type Node } from "./values.ts";

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
