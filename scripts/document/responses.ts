import { operationsOf, type PlacedNode } from "./operations.ts";
import { follow } from "./references.ts";
import { entriesOf, type Located, type Node, oncePerDocument, type Path } from "./values.ts";

/** A response of one operation or of the gateway. */
export interface PlacedResponse {
  /** Its path in the operation, before `$ref`s are followed. */
  listed: Path;
  /** The path of its definition. */
  path: Path;
  response: Node;
  /** The key it is listed under: `404`, `2XX`. */
  status: string;
  /** Its name in messages: `the 404 response of getEmail`, or `the response NotFound` if it is a component. */
  name: string;
  /** Its operation; undefined for the gateway. */
  operation: PlacedNode | undefined;
}

/** Whether the status is a success: `200`, `2XX`. */
export const isSuccess = (status: string): boolean => /^2/.test(status);

/** Whether the status is an error: `404`, `5XX`, `default`. */
export const isError = (status: string): boolean => /^([45]|default)/.test(status);

/** The root extension with the responses that come before any operation. */
export const gatewayResponses = "x-gateway-responses";

const place = (
  document: Node,
  listed: Path,
  status: string,
  owner: string,
  value: Node,
): Omit<PlacedResponse, "operation"> => {
  const { path, value: response } = follow(document, listed, value);
  const shared = path[0] === "components" ? `the response ${path[2]}` : `the ${status} response of ${owner}`;
  return { listed, path, response, status, name: shared };
};

/** The responses of one operation. */
export const responsesOf = (document: Node, operation: PlacedNode): PlacedResponse[] =>
  entriesOf(operation.operation.responses).map(([status, value]) => ({
    ...place(document, [...operation.location, "responses", status], status, operation.id, value),
    operation,
  }));

/** Every response of every operation and of the gateway; a component once for each use. */
export const listedResponses = oncePerDocument((document): PlacedResponse[] => [
  ...operationsOf(document).flatMap((operation) => responsesOf(document, operation)),
  ...entriesOf(document[gatewayResponses]).map(([status, value]) => ({
    ...place(document, [gatewayResponses, status], status, "the gateway", value),
    operation: undefined,
  })),
]);

/** Every response of the document, once, with the path of its definition. */
export const responses = oncePerDocument((document): PlacedResponse[] => [
  ...new Map(listedResponses(document).map((response) => [response.path.join("/"), response])).values(),
]);

/** The header of that name on the response, with its `$ref` followed; names are compared without case. */
export const headerOf = (
  document: Node,
  { path, response }: PlacedResponse,
  name: string,
): Located | undefined => {
  const found = entriesOf(response.headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found && follow(document, [...path, "headers", found[0]], found[1]);
};
