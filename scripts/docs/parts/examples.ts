import { escapeHtml } from "../../../lib/escape-html.ts";
import { dereference } from "../../document/references.ts";
import type { Example, MediaType, OpenApiDocument } from "../../document/types.ts";
import { code, codeBlock, collapsed, joined } from "../text/markdown.ts";
import { assertRendered } from "./assert-rendered.ts";

/** The examples of a body, each collapsed. */
export function bodyExamples(document: OpenApiDocument, media: MediaType | undefined): string {
  if (media === undefined) return "";
  assertRendered("mediaType", media);
  const examples = Object.entries(media.examples).map(([name, reference]) => {
    const example = dereference<Example>(document, reference);
    assertRendered("example", example);
    const { summary, description, value } = example;
    const block = codeBlock("json", JSON.stringify(value, null, 2));
    return collapsed(
      `${escapeHtml(summary ?? name)} <code>${name}</code>`,
      joined(description, block),
      ' class="example"',
    );
  });
  return joined(...examples);
}

/** The example of a parameter or a header, and what its schema says of the value. */
export const valueNotes = (schema: { description?: string }, owner: { example?: unknown }): string =>
  joined(
    schema.description && `Value: ${schema.description}`,
    owner.example === undefined ? "" : `Example: ${code(String(owner.example))}`,
  );
