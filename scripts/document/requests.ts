import { operationsOf, type PlacedNode, type PlacedOperation, parametersOf } from "./operations.ts";
import { dereference, follow, resolveSchema } from "./references.ts";
import type { Example, OpenApiDocument } from "./types.ts";
import { entriesOf, listOf, type Node, nodeOf, textOf } from "./values.ts";

/** The base URL of the first server with the defaults of its variables, without a slash at the end. */
export function baseUrlOf({ servers }: Pick<OpenApiDocument, "servers">): string {
  const { url = "", variables = {} } = servers[0] ?? {};
  return url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? "").replace(/\/$/, "");
}

/** A request with the examples of the parameters, and one of the body. */
export interface ExampleRequest {
  operationId: string;
  /** The name of the example of the body; null without a body. */
  name: string | null;
  /** In capitals. */
  method: string;
  /** Path and query, encoded. */
  path: string;
  /** The values of the path parameters, in the order of the path. */
  pathParameters: string[];
  /** The values of the query parameters by name, in the order of the document. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: unknown;
}

/** Every request that the examples of the document make: one for each example of a body. */
export const exampleRequests = (document: OpenApiDocument): ExampleRequest[] =>
  operationsOf(document).flatMap((placed) => {
    const given = placed.parameters.flatMap(({ example: value, ...one }) =>
      value === undefined ? [] : [{ ...one, value }],
    );
    const request = requestWith(placed, given);
    const bodies = Object.entries(placed.operation.requestBody?.content["application/json"]?.examples ?? {});
    if (bodies.length === 0) return [request];
    return bodies.map(([name, reference]) => ({
      ...request,
      name,
      body: dereference<Example>(document, reference).value,
    }));
  });

/** The request of an operation with values of its parameters, without a body. */
export function requestWith(
  { id, method, path }: PlacedOperation,
  given: readonly { in?: string; name: string; value: unknown }[],
): ExampleRequest {
  const valuesIn = (place: string): [string, unknown][] =>
    given.filter((one) => one.in === place).map(({ name, value }) => [name, value]);
  const examples = (place: string): [string, string][] =>
    valuesIn(place).map(([name, value]) => [name, String(value)]);
  const values = Object.fromEntries(examples("path"));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams(examples("query")).toString();
  return {
    operationId: id,
    name: null,
    method: method.toUpperCase(),
    path: query === "" ? filled : `${filled}?${query}`,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => values[name] ?? ""),
    query: Object.fromEntries(valuesIn("query")),
    headers: Object.fromEntries(examples("header")),
  };
}

/** The fields of an object, including those of its variants. */
const fieldsOf = (document: Node, schema: unknown): [string, unknown][] => {
  const { properties, oneOf, anyOf, allOf } = resolveSchema(document, schema);
  return [
    ...Object.entries(nodeOf(properties)),
    ...[oneOf, anyOf, allOf].flatMap(listOf).flatMap((variant) => fieldsOf(document, variant)),
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
