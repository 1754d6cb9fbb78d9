import { isDeepStrictEqual } from "node:util";
import { operationsOf } from "../../document/operations.ts";
import type { ErrorRow, OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { type BlockRow, blockTable } from "../text/layout.ts";
import { code, joined, siteLink } from "../text/markdown.ts";
import { errorPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { exampleList, examplesOf, type NamedExample } from "./examples.ts";
import { sharedHeaders } from "./headers.ts";
import { mediaOf, type StatusResponse } from "./responses.ts";

const retryAdvice: Record<ErrorRow["retry"], string> = {
  never: "Do not retry.",
  after: "Retry after the time in `Retry-After`.",
  backoff: "Retry with backoff.",
};

/** The class of the advice: a dot says that a retry can succeed. */
const retryClass = { never: "no", after: "wait", backoff: "good" } as const;

export const retryMark = ({ retry }: ErrorRow, text = retryAdvice[retry]): string =>
  `<span class="retry ${retryClass[retry]}">${text}</span>`;

/** An error as a line of a list. */
export const errorLine = (row: ErrorRow): string =>
  `${siteLink(row.type === null ? "any type" : code(row.type), errorPath(row))}: ${row.when} ${row.resolution} ${retryAdvice[row.retry]}`;

/** The error types of a status that an operation returns; without an operation, those of the gateway. */
export const errorRowsOf = (document: OpenApiDocument, status: string, operationId?: string): ErrorRow[] =>
  document["x-errors"].filter(
    (row) =>
      String(row.status) === status &&
      (operationId === undefined ? row.operations.length === 0 : row.operations.includes(operationId)),
  );

/** Whether every operation has the same response: the page of errors describes it. Operations that an overlay added need not have it. */
export function isShared(document: OpenApiDocument, status: string, response: ResponseObject): boolean {
  const operations = ownOperations(document);
  const reference = responseReference(document, response);
  return (
    reference !== undefined &&
    operations.length > 0 &&
    operations.every(({ operation: { responses } }) => isDeepStrictEqual(responses[status], reference))
  );
}

/** The operations with rows of errors: those of the contract. */
const ownOperations = (document: OpenApiDocument) =>
  operationsOf(document).filter(({ id }) =>
    document["x-errors"].some(({ operations }) => operations.includes(id)),
  );

const responseReference = ({ components }: OpenApiDocument, response: ResponseObject) => {
  const name = Object.entries(components.responses ?? {}).find(([, one]) => one === response)?.[0];
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` };
};

/** The errors of an operation as one table; those that every operation has are linked. */
export function errorsText(
  document: OpenApiDocument,
  errors: readonly StatusResponse[],
  operationId: string,
): string {
  const own = errors.filter(([status, response]) => !isShared(document, status, response));
  const shared = errors.filter((error) => !own.includes(error));
  const rows = own.flatMap((error) => errorRows(document, error, operationId));
  return joined(
    "## Errors",
    sharedText(document, shared, operationId),
    rows.length === 0 ? "" : blockTable("errors", "Errors of this operation", head, rows),
    sharedHeaders(document, own),
  );
}

/** An error response of an operation that an overlay added has no rows of types: its description is one. */
function errorRows(
  document: OpenApiDocument,
  [status, response]: StatusResponse,
  operationId: string,
): BlockRow[] {
  const rows = errorRowsOf(document, status, operationId);
  if (rows.length > 0) return rows.map((row, index) => errorRow(document, row, response, index === 0));
  const examples = exampleList(examplesOf(document, mediaOf(response)));
  const summary = `JSON<span class="hidden-text"> of ${status}</span>`;
  return [
    {
      id: `error-${status}`,
      cells: [`**${status}**`, joined(response.description, smallPrint(response)), "Unspecified."],
      ...(examples !== "" && { more: { summary, text: examples } }),
    },
  ];
}

const head = ["Status and type", "When, and what to do", "Retry"];

function sharedText(
  document: OpenApiDocument,
  shared: readonly StatusResponse[],
  operationId: string,
): string {
  // An operation that an overlay added has the shared responses, but no rows.
  const [first] = ownOperations(document);
  const hasRows = document["x-errors"].some(({ operations }) => operations.includes(operationId));
  const links = shared.flatMap(([status]) =>
    errorRowsOf(document, status, hasRows ? operationId : first?.id).map((row) =>
      siteLink(errorName(row), errorPath(row)),
    ),
  );
  const body = `The body of every error response is an ${siteLink("Error response", "objects/error-response")}.`;
  return links.length === 0
    ? body
    : `${body} As every operation, this one can also return ${links.join(", ")}.`;
}

/** `409 send_rejected`, with the type as code. */
export const errorName = ({ status, type }: ErrorRow): string =>
  type === null ? String(status) : `${status} ${code(type)}`;

/** @param isFirst whether it is the first row of its response, which describes the response */
function errorRow(
  document: OpenApiDocument,
  row: ErrorRow,
  response: ResponseObject,
  isFirst: boolean,
): BlockRow {
  const { status, type, when, resolution } = row;
  const description = response.description === when || !isFirst ? "" : response.description;
  const examples = examplesFor(document, row, [response]);
  return {
    id: `error-${row.id.replaceAll(".", "-")}`,
    cells: [
      siteLink(`**${errorName(row)}**`, errorPath(row)),
      joined(when, resolution, isFirst ? smallPrint(response) : ""),
      retryMark(row),
    ],
    ...(examples.length > 0 && {
      more: {
        summary: `JSON<span class="hidden-text"> of ${status} ${type ?? ""}</span>`,
        text: joined(description, exampleList(examples)),
      },
    }),
  };
}

/** The examples of responses whose error has the type of the row, each value once. */
export function examplesFor(
  document: OpenApiDocument,
  { type }: ErrorRow,
  responses: readonly ResponseObject[],
): NamedExample[] {
  const all = responses.flatMap((response) => examplesOf(document, mediaOf(response)));
  const matching = all.filter(([, { value }]) => type === null || errorType(value) === type);
  return matching.filter(
    ([name, { value }], index) =>
      matching.findIndex(([other, one]) => other === name && isDeepStrictEqual(one.value, value)) === index,
  );
}

const errorType = (value: unknown): string | undefined =>
  (value as { error?: { type?: string } } | undefined)?.error?.type;
