import type { Answer, ErrorRow, Header, OpenApiDocument, Operation } from "../../document.ts";
import { resolved } from "../../reference.ts";
import { errorAddress, operationAddress } from "../addresses.ts";
import { anchor, code, entry, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import { ruleText, schemaText } from "../schema/fields.ts";
import { placed, withMarks } from "../schema/resolve.ts";
import { typeWords } from "../schema/type.ts";
import { errorWords } from "../tables/error-words.ts";
import { examplesText, fieldList, valueWords } from "./request.ts";

interface Link {
  operationId: string;
  description: string;
  parameters?: Record<string, string>;
}

/** Every answer of an operation: success with its fields, then each status of failure with its errors. */
export function answersText(document: OpenApiDocument, operation: Operation): string {
  const answers = Object.entries(operation.responses).map(
    ([status, reference]) => [status, resolved<Answer>(document, reference)] as const,
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

const isSuccess = ([status]: readonly [string, Answer]): boolean => status.startsWith("2");

const statusWords = (status: string): string =>
  status.endsWith("XX") ? `Any ${status.replace("XX", "")}xx` : status;

function successText(document: OpenApiDocument, status: string, answer: Answer): string {
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
export const frontText = (document: OpenApiDocument, status: string, answer: Answer): string =>
  failureText(document, status, answer, ({ operations }) => operations.length === 0);

function failureText(
  document: OpenApiDocument,
  status: string,
  answer: Answer,
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

const mediaOf = (answer: Answer) => Object.values(answer.content ?? {})[0];

/**
 * The headers of an answer, closed until they are asked for: most answers have the same ones. Search leads to the page
 * that tells of them all.
 */
function headersText(document: OpenApiDocument, status: string, { headers = {} }: Answer): string {
  const names = Object.keys(headers);
  if (names.length === 0) return "";
  const entries = Object.entries(headers).map(([name, reference]) =>
    headerEntry(
      document,
      { id: `${status.toLowerCase()}-header-${name}`, name },
      resolved<Header>(document, reference),
    ),
  );
  const summary = `Headers: ${names.map((name) => `<code>${name}</code>`).join(", ")}`;
  return joined(
    `<details data-pagefind-ignore>\n<summary>${summary}</summary>`,
    fieldList(entries.join("\n")),
    "</details>",
  );
}

/**
 * A header of answers as an entry of a list.
 *
 * @param below what is told of it beside what the document says, a paragraph each
 */
export function headerEntry(
  document: OpenApiDocument,
  { id, name }: { id: string; name: string },
  header: Header,
  ...below: string[]
): string {
  const { schema } = placed(document, header.schema);
  return entry(
    `${anchor(id)}**${code(name)}** *${typeWords(document, header.schema)}${header.required ? ", always there" : ""}*`,
    header.description,
    ...below,
    valueWords(schema, header),
    ruleText(withMarks(schema, header)),
  );
}

function linksText({ links = {} }: Answer): string {
  const lines = Object.values(links as Record<string, Link>).map(
    ({ operationId, description }) =>
      `- ${siteLink(code(operationId), operationAddress(operationId))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("What comes next:", lines.join("\n"));
}
