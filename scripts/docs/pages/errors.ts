import { isDeepStrictEqual } from "node:util";
import type { ErrorRow } from "../../../generated/schema-types.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { errorPath, type Page } from "../page.ts";
import { exampleList, examplesOf } from "../parts/examples.ts";
import { headersText, mediaOf, type StatusResponse } from "../parts/responses.ts";
import { schemaText } from "../schema/fields.ts";
import {
  type BlockRow,
  blockTable,
  box,
  code,
  codeBlock,
  fieldList,
  joined,
  operationLinks,
  siteLink,
  siteOnly,
} from "../text/markdown.ts";
import { requirementNotes } from "../text/requirement-notes.ts";

/** The error object, then every error by status and type: cause, resolution, and whether to retry. */
export function errorsPage(document: OpenApiDocument): Page {
  return {
    path: "errors",
    source: "openapi/errors.yaml",
    title: "Errors",
    description:
      "Every error by status and type: its cause, its resolution, and whether to retry the request.",
    text: box(
      "wide",
      `Error responses have this body; a 5xx may have another, or none. Decide by the status and ${code("error.type")}; show ${code("error.message")} to people.`,
      "## Error object",
      objectText(document),
      "## Error types",
      blockTable(
        "errors all-errors",
        "All errors",
        ["Status and type", "When", "What to do", "Retry"],
        document["x-errors"].map((row) => errorRow(document, row)),
      ),
      `For a response in no row, such as a redirect, an unknown type or a 429 without ${code("Retry-After")}, see ${unexpectedResponses}.`,
    ),
  };
}

/** A link to what a guide says of responses that the document does not have. */
export const unexpectedResponses = siteLink(
  "Unexpected responses",
  "guides/errors-and-retries#unexpected-responses",
);

/** An example of the body beside its fields. */
function objectText(document: OpenApiDocument): string {
  const schema = { $ref: "#/components/schemas/ErrorResponse" };
  const row = document["x-errors"].find(({ namesFields }) => namesFields);
  const [[, example] = []] =
    row === undefined ? [] : examplesFor(document, row, responsesWith(document, row));
  return box(
    "shape",
    box("panel response", codeBlock("json", JSON.stringify(example?.value, null, 2))),
    joined(
      fieldList(schemaText({ document, prefix: "object", isResponse: true }, schema)),
      `Schema: ${siteLink("Error response", "objects/error-response")}.`,
    ),
  );
}

/** The responses of operations, and of the gateway, with the status of the row. */
function responsesWith(document: OpenApiDocument, { status, operations }: ErrorRow): ResponseObject[] {
  const references = operationsOf(document).flatMap(({ id, operation: { responses } }) =>
    operations.includes(id) ? [responses[status]] : [],
  );
  const gateway = operations.length === 0 ? [document["x-gateway-responses"]?.[status]] : [];
  const found = [...references, ...gateway].filter((reference) => reference !== undefined);
  return [...new Set(found.map((reference) => dereference<ResponseObject>(document, reference)))];
}

function errorRow(document: OpenApiDocument, row: ErrorRow): BlockRow {
  const responses = responsesWith(document, row);
  // The id may distinguish two errors of the same type: `404 not_found (path)`.
  const [, , distinction] = row.id.split(".");
  const heading = `### ${errorName(row)}${distinction === undefined ? "" : ` (${distinction})`}`;
  return {
    // The renderer derives the anchor from the heading: that of `errorPath`.
    cells: [heading, row.when, joined(row.resolution, requirementNotes(row)), retryMark(row)],
    more: {
      of: `and operations of ${row.status} ${row.type ?? ""}`,
      text: joined(
        row.namesFields ? `${code("error.fields")} has an entry for each invalid field.` : "",
        operationsText(document, row),
        ...responses.map((response) => sharedResponseText(document, row, response)),
        // The example of the error object is enough for a reader of Markdown.
        siteOnly(box("panel response", exampleList(examplesFor(document, row, responses)))),
      ),
      inMarkdown: true,
    },
  };
}

function operationsText(document: OpenApiDocument, { operations }: ErrorRow): string {
  if (operations.length === 0)
    return `An ${siteLink("error of every path", "making-requests#errors-of-every-path")}.`;
  const others = operationsOf(document).flatMap(({ id }) => (operations.includes(id) ? [] : [id]));
  if (others.length === 0) return "All operations.";
  return others.length < operations.length / 2
    ? `All operations but ${operationLinks(others)}.`
    : `**Operations.** ${operationLinks(operations)}`;
}

/** What the pages of operations do not repeat of a response that all of them have. */
function sharedResponseText(document: OpenApiDocument, { status, when }: ErrorRow, response: ResponseObject) {
  if (!isShared(document, String(status), response)) return "";
  return joined(
    response.description === when ? "" : response.description,
    response["x-empty-body"] === true ? "The response may have no body." : "",
    requirementNotes(response),
    headersText(document, [[String(status), response]]),
  );
}

/** The advice, and its class: a dot says that a retry can succeed. */
const retries: Record<ErrorRow["retry"], { advice: string; kind: string }> = {
  never: { advice: "Do not retry", kind: "no" },
  after: { advice: "Retry after the time in `Retry-After`", kind: "wait" },
  backoff: { advice: "Retry with backoff", kind: "good" },
};

const retryMark = ({ retry }: ErrorRow): string =>
  `<span class="retry ${retries[retry].kind}">${retries[retry].advice}</span>`;

export const errorLine = (row: ErrorRow): string =>
  `${siteLink(row.type === null ? "any type" : code(row.type), errorPath(row))}: ${row.when} ${row.resolution} ${retries[row.retry].advice}.`;

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
  const isComponent = Object.values(document.components.responses ?? {}).includes(response);
  return (
    isComponent &&
    operations.length > 0 &&
    operations
      .map(({ operation }) => operation.responses[status])
      .every((own) => own && dereference(document, own) === response)
  );
}

/** The operations with rows of errors: those of the contract. */
const ownOperations = (document: OpenApiDocument) =>
  operationsOf(document).filter(({ id }) =>
    document["x-errors"].some(({ operations }) => operations.includes(id)),
  );

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
    sharedErrorsText(document, shared, operationId),
    rows.length === 0
      ? ""
      : blockTable(
          "errors",
          "Errors of this operation",
          ["Status and type", "When, and what to do", "Retry"],
          rows,
        ),
    headersText(document, own, { isShared: true }),
  );
}

/** An error response of an operation that an overlay added has no rows of types: its description is one. */
function errorRows(document: OpenApiDocument, [status, response]: StatusResponse, operationId: string) {
  const rows = errorRowsOf(document, status, operationId);
  if (rows.length > 0)
    return rows.map((row, index) => operationErrorRow(document, row, response, index === 0));
  return [
    {
      id: `error-${status}`,
      cells: [`**${status}**`, joined(response.description, requirementNotes(response)), "Unspecified."],
      more: { of: `of ${status}`, text: exampleList(examplesOf(document, mediaOf(response))) },
    },
  ];
}

function sharedErrorsText(document: OpenApiDocument, shared: readonly StatusResponse[], operationId: string) {
  // An operation that an overlay added has the shared responses, but no rows.
  const [first] = ownOperations(document);
  const hasRows = document["x-errors"].some(({ operations }) => operations.includes(operationId));
  const links = shared.flatMap(([status]) =>
    errorRowsOf(document, status, hasRows ? operationId : first?.id).map(errorLink),
  );
  const body = `The body of every error response is an ${siteLink("Error response", "objects/error-response")}.`;
  return links.length === 0
    ? body
    : `${body} Like every operation, this one can also return ${links.join(", ")}.`;
}

/** `409 send_rejected`, with the type as code. */
const errorName = ({ status, type }: ErrorRow): string =>
  type === null ? String(status) : `${status} ${code(type)}`;

export const errorLink = (row: ErrorRow): string => siteLink(errorName(row), errorPath(row));

/** @param isFirst whether it is the first row of its response, which describes the response */
function operationErrorRow(
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
      joined(when, resolution, isFirst ? requirementNotes(response) : ""),
      retryMark(row),
    ],
    more: {
      of: `of ${status} ${type ?? ""}`,
      text: examples.length === 0 ? "" : joined(description, exampleList(examples)),
    },
  };
}

/** The examples of responses whose error has the type of the row, each value once. */
function examplesFor(document: OpenApiDocument, { type }: ErrorRow, responses: readonly ResponseObject[]) {
  const all = responses.flatMap((response) => examplesOf(document, mediaOf(response)));
  const matching = all.filter(([, { value }]) => type === null || Object(Object(value).error).type === type);
  return matching.filter(
    ([name, { value }], index) =>
      matching.findIndex(([other, one]) => other === name && isDeepStrictEqual(one.value, value)) === index,
  );
}
