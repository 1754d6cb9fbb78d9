import { type OperationPlace, parametersOf } from "./operations.ts";
import { follow, resolveSchema } from "./references.ts";
import { entriesOf, listOf, type Node, nodeOf, textOf } from "./values.ts";

const fieldsOf = (document: Node, schema: unknown): string[] => {
  const { properties, oneOf, anyOf, allOf } = resolveSchema(document, schema);
  const variants = [oneOf, anyOf, allOf].flatMap(listOf);
  return [...Object.keys(nodeOf(properties)), ...variants.flatMap((variant) => fieldsOf(document, variant))];
};

/** The names that a caller can give values to: the top-level fields of the body, and the parameters. */
export const requestFields = (document: Node, operation: OperationPlace | undefined): Set<string> => {
  if (operation === undefined) return new Set();
  const body = follow(document, [], operation.operation.requestBody).value;
  return new Set([
    ...entriesOf(body.content).flatMap(([, media]) => fieldsOf(document, media.schema)),
    ...parametersOf(document, operation).map(({ value }) => textOf(value.name)),
  ]);
};
