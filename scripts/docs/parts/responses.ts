import { count } from "../../../lib/text.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { operationPath } from "../page.ts";
import { fieldEntry, resolveSchema, schemaText, typeText } from "../schema/fields.ts";
import { all, bulletList, chip, code, collapsed, fieldList, joined, siteLink } from "../text/markdown.ts";
import { mergedIds, requirementNotes } from "../text/requirement-notes.ts";
import { assertRendered, valueNotes } from "./examples.ts";

/** A response with its status. */
export type StatusResponse = [status: string, response: ResponseObject];

export function responsesOf(document: OpenApiDocument, { responses }: Operation) {
  const all = Object.entries(responses).map(([status, reference]): StatusResponse => {
    const response = dereference<ResponseObject>(document, reference);
    assertRendered("response", response);
    return [status, response];
  });
  return {
    success: all.filter(([status]) => status.startsWith("2")),
    errors: all.filter(([status]) => !status.startsWith("2")),
  };
}

export const statusName = (status: string): string => (status === "2XX" ? "Any 2xx" : status);

/** The fields and headers of the responses of success. */
export const successText = (document: OpenApiDocument, success: readonly StatusResponse[]): string =>
  joined("## Response", ...success.map(([status, response]) => responseText(document, status, response)));

function responseText(document: OpenApiDocument, status: string, response: ResponseObject): string {
  const media = mediaOf(response);
  const body =
    media &&
    joined(
      `Body: ${typeText(document, media.schema)}.`,
      resolveSchema(document, media.schema).schema.description,
      fieldList(schemaText({ document, prefix: status.toLowerCase() }, media.schema)),
    );
  return joined(
    `### ${statusName(status)}`,
    response.description,
    requirementNotes(response),
    body,
    responseHeaders(document, status, response),
  );
}

export const mediaOf = (response: ResponseObject) => Object.values(response.content ?? {})[0];

/** What a client can do with the response. */
export function linksText(responses: readonly StatusResponse[]): string {
  type Link = { operationId: string; description: string };
  const links = responses.flatMap(([, { links = {} }]) => Object.values(links as Record<string, Link>));
  const unique = [
    ...new Map(links.map((link) => [`${link.operationId} ${link.description}`, link])).values(),
  ];
  const lines = unique.map(
    ({ operationId, description }) =>
      `${siteLink(code(operationId), operationPath(operationId))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("## After this request", bulletList(lines));
}

/** The headers of a response, collapsed, since most responses have the same ones. */
export function responseHeaders(
  document: OpenApiDocument,
  status: string,
  { headers = {} }: ResponseObject,
): string {
  const entries = Object.entries(headers).map(([name, reference]) => {
    const id = `${status.toLowerCase()}-header-${name}`;
    return headerEntry(document, { id, name }, dereference<Header>(document, reference));
  });
  return folded(count(entries.length, "response header"), entries);
}

/** The headers of several responses: each once, with the statuses that have it. */
export function sharedHeaders(
  document: OpenApiDocument,
  responses: readonly [string, ResponseObject][],
): string {
  const uses = responses.flatMap(([status, { headers = {} }]) =>
    Object.entries(headers).map(([name, reference]) => ({
      status,
      name,
      header: dereference<Header>(document, reference),
    })),
  );
  const entries = [...Map.groupBy(uses, ({ header }) => header)].map(([header, used]) => {
    const [{ name } = { name: "" }] = used;
    const note = `With ${all(used.map(({ status }) => status))}.`;
    return headerEntry(document, { id: `error-header-${name}`, name }, header, note);
  });
  return folded(count(entries.length, "header of these responses", "headers of these responses"), entries);
}

const folded = (summary: string, entries: string[]): string =>
  entries.length === 0 ? "" : collapsed(summary, fieldList(...entries), ' class="fold" data-pagefind-ignore');

/** @param notes paragraphs after the header's description */
export function headerEntry(
  document: OpenApiDocument,
  { id, name }: { id: string; name: string },
  header: Header,
  ...notes: string[]
): string {
  assertRendered("header", header);
  const { schema } = resolveSchema(document, header.schema);
  return fieldEntry({
    name: code(name),
    anchor: id,
    type: typeText(document, header.schema),
    schema: { ...schema, ...mergedIds(header, schema) },
    presence: header.required && chip("always present", "presence"),
    description: header.description,
    notes: [...notes, valueNotes(schema, header)],
  });
}
