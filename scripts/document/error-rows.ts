import { listOf, type Node, oncePerDocument, type Path, rowsOf, textOf, textsOf } from "./values.ts";

/** A row of the error table and where it stands. */
export interface PlacedErrorRow {
  path: Path;
  row: Node;
  id: string;
  status: string;
  /** null where the service names no type. */
  type: string | null;
  /** operationIds; empty where the gateway responses. */
  operations: string[];
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
  })),
);

/** The rows that one operation can response with one status. */
export const rowsFor = (document: Node, operation: string | undefined, status: string): PlacedErrorRow[] =>
  errorRows(document).filter(
    (row) =>
      row.status === status &&
      (operation === undefined ? row.operations.length === 0 : row.operations.includes(operation)),
  );
