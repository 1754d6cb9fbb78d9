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

/** A row of the error table and its path. */
interface PlacedErrorRow {
  path: Path;
  row: Node;
  id: string;
  status: string;
  /** null if the type is unspecified. */
  type: string | null;
  /** operationIds; empty for gateway responses. */
  operations: string[];
  /** Whether `error.fields` is required. */
  namesFields: boolean;
}

/** Every row of the error table. */
export const errorRows = oncePerDocument((document): PlacedErrorRow[] =>
  rowsOf(document["x-errors"]).map(([index, row]) => ({
    path: ["x-errors", index],
    row,
    id: textOf(row.id) || `number ${index}`,
    status: String(row.status),
    type: typeof row.type === "string" ? row.type : null,
    operations: textsOf(listOf(row.operations)),
    namesFields: row.namesFields === true,
  })),
);

/** The rows of one operation, or of the gateway, with one status. */
export const rowsFor = (document: Node, operation: string | undefined, status: string): PlacedErrorRow[] =>
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
