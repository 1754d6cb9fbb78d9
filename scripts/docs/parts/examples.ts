import { escapeHtml } from "../../../lib/html.ts";
import { mapValues } from "../../../lib/objects.ts";
import { count } from "../../../lib/text.ts";
import { UserError } from "../../../lib/user-error.ts";
import { dereference } from "../../document/references.ts";
import type { Example, MediaType, OpenApiDocument } from "../../document/types.ts";
import { box, codeBlock, collapsed, joined } from "../text/markdown.ts";

const ids = "x-encodes x-leaves-unspecified";

/** The keys of each part of an operation that the pages show. Schemas have their own table, in schema/constraints.ts. */
const shown = {
  operation: `operationId summary description tags deprecated parameters requestBody responses security ${ids}`,
  parameter: `name in required description schema example ${ids}`,
  requestBody: "required description content",
  response: `description headers content links x-empty-body ${ids}`,
  header: `required description schema example x-operations ${ids}`,
  mediaType: "schema examples",
  example: "summary description value",
};

/** @throws UserError for a key that no page shows: the reference omits nothing silently */
export function assertRendered(kind: keyof typeof shown, part: object): void {
  const unknown = Object.keys(part).find((key) => !shown[kind].split(" ").includes(key));
  if (unknown === undefined) return;
  const excerpt = JSON.stringify(part).slice(0, 80);
  throw new UserError(`the reference does not show the key ${unknown} (${kind}): ${excerpt}`, {
    hint: "Show it in scripts/docs/parts/ or pages/operation.ts, then list it in parts/examples.ts.",
  });
}

export type NamedExample = [name: string, example: Example];

export function examplesOf(document: OpenApiDocument, media: MediaType | undefined): NamedExample[] {
  if (media === undefined) return [];
  assertRendered("mediaType", media);
  return Object.entries(mapValues(media.examples, (reference) => dereference<Example>(document, reference)));
}

/** Examples below their summaries; all but the first are collapsed. The search finds what describes them. */
export function exampleList(examples: readonly NamedExample[], first: "open" | "closed" = "open"): string {
  const entries = examples.map(([name, example], index) => {
    assertRendered("example", example);
    const { summary, description, value } = example;
    return collapsed(
      `${escapeHtml(summary ?? name)} <code>${name}</code>`,
      joined(description, codeBlock("json", JSON.stringify(value, null, 2))),
      ` class="example" data-pagefind-ignore${index === 0 && first === "open" ? " open" : ""}`,
    );
  });
  return joined(...entries);
}

/** The examples of a request body, all collapsed. */
export function bodyExamples(document: OpenApiDocument, media: MediaType): string {
  const examples = examplesOf(document, media);
  const list = box("panel request", exampleList(examples, "closed"));
  return collapsed(count(examples.length, "example body", "example bodies"), list, ' class="fold"');
}
