import { count } from "../../../lib/text.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { fieldEntry } from "../schema/field-entry.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { typeText } from "../schema/type.ts";
import { all, code, collapsed, fieldList } from "../text/markdown.ts";
import { mergedIds } from "../text/small-print.ts";
import { assertRendered } from "./assert-rendered.ts";
import { valueNotes } from "./examples.ts";

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
    presence: header.required ? { text: "always present", kind: "presence" } : undefined,
    description: header.description,
    notes: [...notes, valueNotes(schema, header)],
  });
}
