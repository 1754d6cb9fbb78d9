import { operationsOf, type PlacedNode } from "./operations.ts";
import { follow } from "./references.ts";
import { entriesOf, type Located, type Node, oncePerDocument, type Path } from "./values.ts";

/** An answer as one operation (or the shared front) gives it. */
export interface PlacedResponse {
  /** Where the operation lists it, before any `$ref` is followed. */
  listed: Path;
  /** Where it really stands. */
  path: Path;
  response: Node;
  /** The key it is listed under: `404`, `2XX`. */
  status: string;
  /** What messages call it: `the 404 answer of getEmail`, or `the answer NotFound` where several share it. */
  name: string;
  /** The operation that gives it; undefined for the shared front. */
  operation: PlacedNode | undefined;
}

/** Whether the status says that it worked: `200`, `2XX`. */
export const isSuccess = (status: string): boolean => /^2/.test(status);

/** Whether the status says that it failed: `404`, `5XX`, `default`. */
export const isError = (status: string): boolean => /^([45]|default)/.test(status);

/** The root extension that lists the answers given before any operation is reached. */
export const gatewayResponses = "x-gateway-responses";

const place = (
  document: Node,
  listed: Path,
  status: string,
  owner: string,
  value: Node,
): Omit<PlacedResponse, "operation"> => {
  const { path, value: answer } = follow(document, listed, value);
  const shared = path[0] === "components" ? `the answer ${path[2]}` : `the ${status} answer of ${owner}`;
  return { listed, path, response: answer, status, name: shared };
};

/** The answers of one operation. */
export const responsesOf = (document: Node, operation: PlacedNode): PlacedResponse[] =>
  entriesOf(operation.operation.responses).map(([status, value]) => ({
    ...place(document, [...operation.location, "responses", status], status, operation.id, value),
    operation,
  }));

/** Every answer of every operation, and those of the shared front; a shared one once for each of its users. */
export const listedResponses = oncePerDocument((document): PlacedResponse[] => [
  ...operationsOf(document).flatMap((operation) => responsesOf(document, operation)),
  ...entriesOf(document[gatewayResponses]).map(([status, value]) => ({
    ...place(document, [gatewayResponses, status], status, "the shared front", value),
    operation: undefined,
  })),
]);

/** Every answer that the document describes, each once where it really stands. */
export const responses = oncePerDocument((document): PlacedResponse[] => [
  ...new Map(listedResponses(document).map((answer) => [answer.path.join("/"), answer])).values(),
]);

/** The header of that name on the answer, with its `$ref` followed; names are compared without case. */
export const headerOf = (
  document: Node,
  { path, response: answer }: PlacedResponse,
  name: string,
): Located | undefined => {
  const found = entriesOf(answer.headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found && follow(document, [...path, "headers", found[0]], found[1]);
};
