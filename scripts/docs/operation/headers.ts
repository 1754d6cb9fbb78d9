import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, ResponseObject } from "../../document/types.ts";
import { anchor, code, entry, joined } from "../markdown.ts";
import { ruleText } from "../schema/fields.ts";
import { placed, withMarks } from "../schema/resolve.ts";
import { typeWords } from "../schema/type.ts";
import { fieldList, valueWords } from "./request.ts";

/**
 * The headers of an answer, closed until they are asked for: most answers have the same ones. Search leads to the page
 * that tells of them all.
 */
export function headersText(
  document: OpenApiDocument,
  status: string,
  { headers = {} }: ResponseObject,
): string {
  const names = Object.keys(headers);
  if (names.length === 0) return "";
  const entries = Object.entries(headers).map(([name, reference]) =>
    headerEntry(
      document,
      { id: `${status.toLowerCase()}-header-${name}`, name },
      dereference<Header>(document, reference),
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
