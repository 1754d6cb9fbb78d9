import { errorTypeOf, examplesOf } from "./media-types.ts";
import { gatewayResponses, isError, listedResponses, type PlacedResponse } from "./responses.ts";
import { entriesOf, type Node, oncePerDocument, type Path } from "./values.ts";

/** An example of an error, once for each operation that can return it. */
export interface ErrorExample {
  response: PlacedResponse;
  /** The name of the example. */
  name: string;
  path: Path;
  example: Node;
  /** Its `error.type`; empty if it has none. */
  type: string;
}

/** The examples of the error responses of every operation and of the gateway. */
export const errorExamples = oncePerDocument((document): ErrorExample[] =>
  listedResponses(document)
    .filter(({ status, listed }) => isError(status) || listed[0] === gatewayResponses)
    .flatMap((response) =>
      entriesOf(response.response.content).flatMap(([type, media]) =>
        examplesOf(document, [...response.path, "content", type], media).map(({ name, path, example }) => ({
          response,
          name,
          path,
          example,
          type: errorTypeOf(example),
        })),
      ),
    ),
);
