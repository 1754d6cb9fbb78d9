import { dereference } from "../../document/references.ts";
import type { ErrorRow, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { schemaText } from "../schema/fields.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { typeText } from "../schema/type.ts";
import { bulletList, code, fieldList, joined, siteLink } from "../text/markdown.ts";
import { errorPath, operationPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { assertRendered } from "./assert-rendered.ts";
import { bodyExamples } from "./examples.ts";
import { responseHeaders } from "./headers.ts";

/** Every response of an operation: success with its fields, then each error status with its error types. */
export function responsesText(document: OpenApiDocument, { operationId, responses }: Operation): string {
  const all = Object.entries(responses).map(
    ([status, reference]) => [status, dereference<ResponseObject>(document, reference)] as const,
  );
  const { success = [], error = [] } = Object.groupBy(all, ([status]) =>
    status.startsWith("2") ? "success" : "error",
  );
  return joined(
    "## Success responses",
    ...success.map(([status, response]) => successText(document, status, response)),
    "## Error responses",
    `The body of every error response is an ${siteLink("Error response", "objects/error-response")}.`,
    ...error.map(([status, response]) => errorText(document, status, response, operationId)),
  );
}

function successText(document: OpenApiDocument, status: string, response: ResponseObject): string {
  assertRendered("response", response);
  const media = mediaOf(response);
  const body =
    media &&
    joined(
      `Body: ${typeText(document, media.schema)}.`,
      resolveSchema(document, media.schema).schema.description,
      fieldList(schemaText({ document, prefix: status.toLowerCase() }, media.schema)),
    );
  return joined(
    `### ${status === "2XX" ? "Any 2xx" : status}`,
    response.description,
    smallPrint(response),
    body,
    bodyExamples(document, media),
    responseHeaders(document, status, response),
    linksText(response),
  );
}

/** An error response of an operation, or a gateway response if there is no operationId. */
export function errorText(
  document: OpenApiDocument,
  status: string,
  response: ResponseObject,
  operationId?: string,
): string {
  assertRendered("response", response);
  const rows = document["x-errors"].filter(
    (row) =>
      String(row.status) === status &&
      (operationId === undefined ? row.operations.length === 0 : row.operations.includes(operationId)),
  );
  return joined(
    `### ${status}`,
    // The response of a single error often has the same description.
    rows.some(({ when }) => when === response.description) ? "" : response.description,
    bulletList(rows.map(errorLine)),
    response["x-empty-body"] === true ? "The response may have no body." : "",
    smallPrint(response),
    bodyExamples(document, mediaOf(response)),
    responseHeaders(document, status, response),
  );
}

const retryAdvice: Record<ErrorRow["retry"], string> = {
  never: "Do not retry.",
  after: "Retry after the time in `Retry-After`.",
  backoff: "Retry with backoff.",
};

const errorLine = (row: ErrorRow): string =>
  `${siteLink(row.type === null ? "any type" : code(row.type), errorPath(row))}: ${row.when} ${row.resolution} ${retryAdvice[row.retry]}`;

const mediaOf = (response: ResponseObject) => Object.values(response.content ?? {})[0];

function linksText({ links = {} }: ResponseObject): string {
  const lines = Object.values(links as Record<string, { operationId: string; description: string }>).map(
    ({ operationId, description }) =>
      `${siteLink(code(operationId), operationPath(operationId))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("Next operations:", bulletList(lines));
}
