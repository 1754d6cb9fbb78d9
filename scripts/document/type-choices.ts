import { isNode, listOf, type Node } from "./values.ts";

const simple = new Set(["string", "number", "integer", "boolean", "null"]);

/** Whether each alternative is a single type other than objects and arrays. */
const isTypeChoice = ({ oneOf }: Node): boolean =>
  Array.isArray(oneOf) &&
  oneOf.every((one) => isNode(one) && typeof one.type === "string" && simple.has(one.type));

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
