import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { ErrorRow, OpenApiDocument, ResponseObject, Schema } from "../../document/types.ts";
import { errorName, examplesFor, isShared, retryMark } from "../parts/errors.ts";
import { exampleList } from "../parts/examples.ts";
import { responseHeaders } from "../parts/headers.ts";
import { schemaText } from "../schema/fields.ts";
import { type BlockRow, blockTable, box } from "../text/layout.ts";
import { code, codeBlock, fieldList, joined, operationLinks, siteLink } from "../text/markdown.ts";
import { smallPrint } from "../text/small-print.ts";
import type { Page } from "./page.ts";

/** The error object, then every error by status and type: cause, resolution, and whether to retry. */
export function errorsPage(document: OpenApiDocument): Page {
  const rows = document["x-errors"];
  const type = dereference<Schema>(document, { $ref: "#/components/schemas/ErrorType" });
  return {
    path: "errors",
    title: "Errors",
    description:
      "Every error by status and type: its cause, its resolution, and whether to retry the request.",
    text: box(
      "wide",
      `Every error response has the same body. Decide by ${code("error.type")}; show ${code("error.message")} to people.`,
      "## Error object",
      objectText(document),
      "## Error types",
      `> ${type.description}`,
      blockTable(
        "errors all-errors",
        "All errors",
        ["Status and type", "When", "What to do", "Retry"],
        rows.map((row) => errorRow(document, row)),
      ),
    ),
  };
}

/** An example of the body beside its fields. */
function objectText(document: OpenApiDocument): string {
  const schema = { $ref: "#/components/schemas/ErrorResponse" };
  const row = document["x-errors"].find(({ namesFields }) => namesFields);
  const [[, example] = []] =
    row === undefined ? [] : examplesFor(document, row, responsesWith(document, row));
  const block = codeBlock("json", JSON.stringify(example?.value, null, 2));
  return box(
    "shape",
    box("panel response", block),
    joined(
      fieldList(schemaText({ document, prefix: "object" }, schema)),
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

/** `409 send_rejected`; `404 not_found (path)` if the id distinguishes two errors of the same type. */
function nameOf(row: ErrorRow): string {
  const [, , distinction] = row.id.split(".");
  return distinction === undefined ? errorName(row) : `${errorName(row)} (${distinction})`;
}

function errorRow(document: OpenApiDocument, row: ErrorRow): BlockRow {
  const responses = responsesWith(document, row);
  return {
    // The renderer derives the anchor from the heading: that of `errorPath`.
    cells: [`### ${nameOf(row)}`, row.when, joined(row.resolution, smallPrint(row)), retryMark(row)],
    more: {
      summary: `JSON<span class="hidden-text"> and operations of ${row.status} ${row.type ?? ""}</span>`,
      text: joined(
        row.namesFields ? `${code("error.fields")} has an entry for each invalid field.` : "",
        operationsText(document, row),
        ...responses.map((response) => sharedText(document, row, response)),
        box("panel response", exampleList(examplesFor(document, row, responses))),
      ),
    },
  };
}

function operationsText(document: OpenApiDocument, { operations }: ErrorRow): string {
  if (operations.length === 0)
    return `A ${siteLink("gateway response", "making-requests#gateway-responses")}: the request reaches no operation.`;
  const isGeneral = operations.length === operationsOf(document).length;
  return `**${isGeneral ? "All operations" : "Operations"}.** ${operationLinks(operations)}`;
}

/** What the pages of operations do not repeat of a response that all of them have. */
function sharedText(document: OpenApiDocument, { status, when }: ErrorRow, response: ResponseObject): string {
  if (!isShared(document, String(status), response)) return "";
  return joined(
    response.description === when ? "" : response.description,
    response["x-empty-body"] === true ? "The response may have no body." : "",
    smallPrint(response),
    responseHeaders(document, String(status), response),
  );
}
