import { header } from "../common/notice.ts";
import { operationsOf } from "../document/operations.ts";
import type { ErrorRow, OpenApiDocument } from "../document/types.ts";
import { documentation, literal } from "./print.ts";

/** The errors of each operation: as types, and as data for the type guards. */
export function clientErrorsFile(document: OpenApiDocument): string {
  const rows = document["x-errors"];
  const operations = operationsOf(document).map(({ id, operation }) => ({
    id,
    summary: operation.summary,
    rows: rows.filter((row) => row.operations.includes(id)),
  }));
  const types = operations.map(
    ({ id, summary, rows }) => `${documentation(`${summary}.`, 2)}  ${id}:\n${rows.map(shape).join("\n")};\n`,
  );
  const data = new Map(operations.map(({ id, rows }) => [id, rows.map(pair).join(" ")]));
  return (
    `${header}/** The documented errors of each operation: status and \`error.type\`. */\n` +
    `export interface OperationErrors {\n${types.join("")}}\n\n` +
    "/** The same as data: `<status>.<type>`, or the status if the type is unspecified. */\n" +
    `export const operationErrors = ${literal(data)} as const satisfies Record<keyof OperationErrors, string>;\n`
  );
}

const pair = ({ status, type }: ErrorRow): string => (type === null ? String(status) : `${status}.${type}`);

const shape = ({ status, type }: ErrorRow): string =>
  `    | { readonly status: ${status}; readonly type: ${type === null ? anyType : JSON.stringify(type)} }`;

/** Unlike `string`, it leaves the types of the other errors in a union, so that editors complete them. */
const anyType = "(string & {}) | null";
