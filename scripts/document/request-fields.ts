import { type PlacedNode, parametersOf } from "./operations.ts";
import { follow, resolveSchema } from "./references.ts";
import { entriesOf, listOf, type Node, nodeOf, textOf } from "./values.ts";

/** The fields of an object, including those of its variants. */
const fieldsOf = (document: Node, schema: unknown): [string, unknown][] => {
  const { properties, oneOf, anyOf, allOf } = resolveSchema(document, schema);
  const variants = [oneOf, anyOf, allOf].flatMap(listOf);
  return [
    ...Object.entries(nodeOf(properties)),
    ...variants.flatMap((variant) => fieldsOf(document, variant)),
  ];
};

const bodyFields = (document: Node, { operation }: PlacedNode): [string, unknown][] => {
  const body = follow(document, [], operation.requestBody).value;
  return entriesOf(body.content).flatMap(([, media]) => fieldsOf(document, media.schema));
};

/** The names of the top-level fields of the body and of the parameters. */
export const requestFields = (document: Node, operation: PlacedNode | undefined): Set<string> => {
  if (operation === undefined) return new Set();
  return new Set([
    ...bodyFields(document, operation).map(([name]) => name),
    ...parametersOf(document, operation).map(({ value }) => textOf(value.name)),
  ]);
};

/** The field with the batch: the only field of the body, if it is a list of objects. */
export const batchField = (document: Node, operation: PlacedNode | undefined): string | undefined => {
  const [only, ...others] = operation === undefined ? [] : bodyFields(document, operation);
  if (only === undefined || others.length > 0) return undefined;
  const [name, schema] = only;
  return fieldsOf(document, resolveSchema(document, schema).items).length > 0 ? name : undefined;
};
