import { operationsOf, type PlacedOperation } from "./operations.ts";
import { dereference } from "./references.ts";
import type { Example, OpenApiDocument } from "./types.ts";

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
  headers: Record<string, string>;
  body?: unknown;
}

/** Every request that the examples of the document make: one for each example of a body. */
export const exampleRequests = (document: OpenApiDocument): ExampleRequest[] =>
  operationsOf(document).flatMap((placed) => {
    const request = withoutBody(placed);
    const bodies = Object.entries(placed.operation.requestBody?.content["application/json"]?.examples ?? {});
    if (bodies.length === 0) return [request];
    return bodies.map(([name, reference]) => ({
      ...request,
      name,
      body: dereference<Example>(document, reference).value,
    }));
  });

function withoutBody({ id, method, path, parameters }: PlacedOperation): ExampleRequest {
  const examples = (place: string): [string, string][] =>
    parameters.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]);
  const values = Object.fromEntries(examples("path"));
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams(examples("query")).toString();
  return {
    operationId: id,
    name: null,
    method: method.toUpperCase(),
    path: query === "" ? filled : `${filled}?${query}`,
    pathParameters: names.map((name) => values[name] ?? ""),
    headers: Object.fromEntries(examples("header")),
  };
}
