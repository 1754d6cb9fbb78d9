import { dereference } from "../../document/references.ts";
import type { ErrorRow, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { errorAddress, operationAddress } from "../addresses.ts";
import { code, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import { schemaText } from "../schema/fields.ts";
import { placed } from "../schema/resolve.ts";
import { typeWords } from "../schema/type.ts";
import { errorWords } from "../tables/error-words.ts";
import { headersText } from "./headers.ts";
import { examplesText, fieldList } from "./request.ts";

interface Link {
  operationId: string;
  description: string;
  parameters?: Record<string, string>;
}

/** Every answer of an operation: success with its fields, then each status of failure with its errors. */
export function answersText(document: OpenApiDocument, operation: Operation): string {
  const answers = Object.entries(operation.responses).map(
    ([status, reference]) => [status, dereference<ResponseObject>(document, reference)] as const,
  );
  const [success, failure] = [answers.filter(isSuccess), answers.filter((answer) => !isSuccess(answer))];
  return joined(
    "## Success",
    ...success.map(([status, answer]) => successText(document, status, answer)),
    "## Failure",
    `All failures have the shape of an ${siteLink("error", "objects/error")}.`,
    ...failure.map(([status, answer]) =>
      failureText(document, status, answer, ({ operations }) => operations.includes(operation.operationId)),
    ),
  );
}

const isSuccess = ([status]: readonly [string, ResponseObject]): boolean => status.startsWith("2");

const statusWords = (status: string): string =>
  status.endsWith("XX") ? `Any ${status.replace("XX", "")}xx` : status;

function successText(document: OpenApiDocument, status: string, answer: ResponseObject): string {
  const { schema, examples } = mediaOf(answer) ?? {};
  const body =
    schema &&
    joined(
      `The body: ${typeWords(document, schema)}.`,
      placed(document, schema).schema.description,
      fieldList(schemaText({ document, prefix: status.toLowerCase() }, schema)),
    );
  return joined(
    `### ${statusWords(status)}`,
    answer.description,
    smallPrint(answer),
    body,
    examples && examplesText(document, examples),
    headersText(document, status, answer),
    linksText(answer),
  );
}

/** An answer that is given before any operation is reached. */
export const frontText = (document: OpenApiDocument, status: string, answer: ResponseObject): string =>
  failureText(document, status, answer, ({ operations }) => operations.length === 0);

function failureText(
  document: OpenApiDocument,
  status: string,
  answer: ResponseObject,
  concerns: (row: ErrorRow) => boolean,
): string {
  const rows = document["x-errors"].filter((row) => String(row.status) === status && concerns(row));
  const { examples } = mediaOf(answer) ?? {};
  return joined(
    `### ${status}`,
    // Where there is one error alone, the answer is often described in its words.
    rows.some(({ when }) => when === answer.description) ? "" : answer.description,
    rows.map(errorLine).join("\n"),
    answer["x-empty-body"] === true ? "The answer may come without a body." : "",
    smallPrint(answer),
    examples && examplesText(document, examples),
    headersText(document, status, answer),
  );
}

const errorLine = (row: ErrorRow): string =>
  `- ${siteLink(row.type === null ? "of any type" : code(row.type), errorAddress(row))}: ${row.when} ${row.remedy} ${errorWords[row.retry].short}`;

const mediaOf = (answer: ResponseObject) => Object.values(answer.content ?? {})[0];

function linksText({ links = {} }: ResponseObject): string {
  const lines = Object.values(links as Record<string, Link>).map(
    ({ operationId, description }) =>
      `- ${siteLink(code(operationId), operationAddress(operationId))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("What comes next:", lines.join("\n"));
}
