import { errorTypeOf, examplesOf } from "./media-types.ts";
import { gatewayResponses, isError, listedResponses } from "./responses.ts";
import {
  entriesOf,
  listOf,
  type Node,
  oncePerDocument,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "./values.ts";

/** Every row of the error table, with its path. */
export const errorRows = oncePerDocument((document) =>
  rowsOf(document["x-errors"]).map(([index, row]) => ({
    path: ["x-errors", index] as Path,
    row,
    id: textOf(row.id) || `number ${index}`,
    status: String(row.status),
    /** null if the type is unspecified. */
    type: typeof row.type === "string" ? row.type : null,
    /** operationIds; empty for gateway responses. */
    operations: textsOf(listOf(row.operations)),
    /** Whether `error.fields` is required. */
    namesFields: row.namesFields === true,
  })),
);

/** The rows of one operation, or of the gateway, with one status. */
export const rowsFor = (document: Node, operation: string | undefined, status: string) =>
  errorRows(document).filter(
    (row) =>
      row.status === status &&
      (operation === undefined ? row.operations.length === 0 : row.operations.includes(operation)),
  );

/** The examples of the error responses of every operation and of the gateway, once for each operation that can return it. */
export const errorExamples = oncePerDocument((document) =>
  listedResponses(document)
    .filter(({ status, listed }) => isError(status) || listed[0] === gatewayResponses)
    .flatMap((response) =>
      entriesOf(response.response.content).flatMap(([type, media]) =>
        examplesOf(document, [...response.path, "content", type], media).map((found) => ({
          response,
          ...found,
          type: errorTypeOf(found.example),
        })),
      ),
    ),
);
