import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { constraintText } from "../schema/fields.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { typeText } from "../schema/type.ts";
import { anchor, code, collapsed, entry, fieldList } from "../text/markdown.ts";
import { mergedIds } from "../text/small-print.ts";
import { assertRendered } from "./assert-rendered.ts";
import { valueNotes } from "./examples.ts";

/** The headers of a response, collapsed, since most responses have the same ones. */
export function responseHeaders(
  document: OpenApiDocument,
  status: string,
  { headers = {} }: ResponseObject,
): string {
  const entries = Object.entries(headers).map(([name, reference]) =>
    headerEntry(
      document,
      { id: `${status.toLowerCase()}-header-${name}`, name },
      dereference<Header>(document, reference),
    ),
  );
  const names = Object.keys(headers).map((name) => `<code>${name}</code>`);
  const summary = `Headers: ${names.join(", ")}`;
  return names.length === 0 ? "" : collapsed(summary, fieldList(...entries), " data-pagefind-ignore");
}

/** @param notes paragraphs after the header's description */
export function headerEntry(
  document: OpenApiDocument,
  { id, name }: { id: string; name: string },
  header: Header,
  ...notes: string[]
): string {
  assertRendered("header", header);
  const { schema } = resolveSchema(document, header.schema);
  const presence = header.required ? ", always present" : "";
  return entry(
    `${anchor(id)}**${code(name)}** *${typeText(document, header.schema)}${presence}*`,
    header.description,
    ...notes,
    valueNotes(schema, header),
    constraintText({ ...schema, ...mergedIds(header, schema) }),
  );
}
