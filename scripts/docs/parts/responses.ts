import { isDeepStrictEqual } from "node:util";
import { count, firstSentence } from "../../../lib/text.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { operationPath } from "../page.ts";
import { fieldEntry, presenceChip, resolveSchema, schemaText, typeText } from "../schema/fields.ts";
import { all, bulletList, code, collapsed, eachForm, fieldList, joined, siteLink } from "../text/markdown.ts";
import { requirementNotes } from "../text/requirement-notes.ts";
import { assertRendered } from "./examples.ts";

export type StatusResponse = [status: string, response: ResponseObject];

export function responsesOf(document: OpenApiDocument, { responses }: Operation) {
  const all = Object.entries(responses).map(([status, reference]): StatusResponse => {
    const response = dereference<ResponseObject>(document, reference);
    assertRendered("response", response);
    return [status, response];
  });
  return {
    // What is added comes before what is updated: 201, then 200.
    success: all.filter(([status]) => status.startsWith("2")).reverse(),
    errors: all.filter(([status]) => !status.startsWith("2")),
  };
}

export const statusName = (status: string): string => (status === "2XX" ? "Any 2xx" : status);

/** The fields and headers of the responses of success. */
export const successText = (document: OpenApiDocument, success: readonly StatusResponse[]): string =>
  joined("## Response", ...success.map((one, index) => responseText(document, one, success.slice(0, index))));

/** @param before the responses that are described before it: the fields of the same body are shown once */
function responseText(
  document: OpenApiDocument,
  [status, response]: StatusResponse,
  before: readonly StatusResponse[],
): string {
  const schema = mediaOf(response)?.schema;
  const same = schema && before.find(([, other]) => isDeepStrictEqual(mediaOf(other)?.schema, schema));
  const fields = { document, prefix: status.toLowerCase(), isResponse: true };
  return joined(
    `### ${statusName(status)}`,
    response.description,
    requirementNotes(response),
    schema && `Body: ${typeText(document, schema)}${same === undefined ? "" : `, as for ${same[0]}`}.`,
    ...(schema === undefined || same !== undefined
      ? []
      : [resolveSchema(document, schema).schema.description, fieldList(schemaText(fields, schema))]),
    headersText(document, [[status, response]]),
  );
}

export const mediaOf = (response: ResponseObject) => Object.values(response.content ?? {})[0];

/** What a client can do with the response. */
export function linksText(document: OpenApiDocument, responses: readonly StatusResponse[]): string {
  const links = responses.flatMap(([, { links = {} }]) => Object.values(links));
  const summaries = new Map(operationsOf(document).map(({ id, operation }) => [id, operation.summary]));
  const lines = links.map(
    ({ operationId: id, description }) =>
      `${siteLink(summaries.get(id) ?? id, operationPath(id))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("## After this request", bulletList([...new Set(lines)]));
}

/** The headers of a response, collapsed, since most responses have the same ones; of several responses with the statuses that have them. */
export function headersText(
  document: OpenApiDocument,
  responses: readonly StatusResponse[],
  { isShared = false } = {},
): string {
  const uses = responses.flatMap(([status, { headers = {} }]) =>
    Object.entries(headers).map(([name, reference]) => ({
      status,
      id: `${isShared ? "error" : status.toLowerCase()}-header-${name}`,
      name,
      header: dereference<Header>(document, reference),
    })),
  );
  const entries = [...Map.groupBy(uses, ({ header }) => header).values()].flatMap((used) => {
    const note = isShared ? [`With ${all(used.map(({ status }) => status))}.`] : [];
    return used.slice(0, 1).map((use) => headerEntry(document, use, use.header, ...note));
  });
  if (entries.length === 0) return "";
  const number = isShared
    ? count(entries.length, "header of these responses", "headers of these responses")
    : count(entries.length, "response header");
  const headers = new Map(uses.map(({ name, header }) => [name, header]));
  const names = [...headers.keys()].map((name) => `<code>${name}</code>`).join(", ");
  const inShort = [...headers].map(
    ([name, { description = "" }]) => `${code(name)}: ${firstSentence(description)}`,
  );
  return eachForm({
    site: collapsed(`${number}: ${names}`, fieldList(...entries), ' class="fold" data-pagefind-ignore'),
    markdown: joined(`**${number}**`, bulletList(inShort)),
  });
}

/** @param notes paragraphs after the header's description */
export function headerEntry(
  document: OpenApiDocument,
  { id, name }: { id: string; name: string },
  header: Header,
  ...notes: string[]
): string {
  assertRendered("header", header);
  return fieldEntry({ document, prefix: id }, header.schema, {
    ...{ name: code(name), owner: header, notes },
    presence: presenceChip(header.required, true),
  });
}
