import chosen from "../../../docs/site/search/synonyms.json" with { type: "json" };
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { type HeadElement, operationPath } from "../page.ts";
import { resolveSchema } from "../schema/fields.ts";

/**
 * What counts more than any text of a page: its title, its keywords and synonyms, and for an operation method and path.
 * A synonym was chosen for its page, while several operations have a property of one name.
 */
export const metaWeights = { title: 5, keywords: 10, synonyms: 15.5, endpoint: 10 };

/** What leads the search to a page, whether or not its text has the words: elements of its head, by its path. */
export function searchElements(document: OpenApiDocument): ReadonlyMap<string, readonly HeadElement[]> {
  const elements = new Map<string, HeadElement[]>();
  const add = (path: string, element: HeadElement): void => {
    elements.set(path, [...(elements.get(path) ?? []), element]);
  };
  for (const operation of operationsOf(document)) {
    const path = operationPath(operation.id);
    add(path, meta("keywords", operationWords(document, operation)));
    add(path, meta("endpoint", [endpoint(operation)]));
  }
  const errors = document["x-errors"];
  const errorWords = new Set(errors.flatMap(({ status, type }) => [String(status), type ?? []].flat()));
  add("errors", meta("keywords", [...errorWords]));
  for (const [path, phrases] of Object.entries(synonyms)) add(path, meta("synonyms", phrases));
  return elements;
}

const meta = (name: keyof typeof metaWeights, words: readonly string[]): HeadElement => ({
  tag: "meta",
  attrs: { name, content: words.join(", "), "data-pagefind-meta": `${name}[content]` },
});

/** `POST /emails`: the last segment only. The search takes a word inside a longer path for a match too. */
function endpoint({ method, path }: PlacedOperation): string {
  const [segment = path] = /\/[^/{}]+(?=(?:\/\{[^/]*\})?$)/.exec(path) ?? [];
  return `${method.toUpperCase()} ${segment}`;
}

function operationWords(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
): string[] {
  const bodies = Object.values(operation.requestBody?.content ?? {});
  return [
    id,
    // Readers say mail for a message.
    ...(/\bmessage/.test(operation.summary) ? ["mail"] : []),
    `${method.toUpperCase()} ${path}`,
    // Without what all paths begin with, which readers leave out: emails/batch.
    path.split("/").slice(-2).join("/"),
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ schema }) => propertyNames(document, schema)),
  ];
}

/** The properties of a schema and of its variants, each once. */
function propertyNames(document: OpenApiDocument, given: Schema): string[] {
  const { properties = {}, oneOf = [] } = resolveSchema(document, given).schema;
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap((one) => propertyNames(document, one))])];
}

/** The words of other APIs and of readers, by the page, or page and anchor, that they look for. */
export const synonyms: Readonly<Record<string, readonly string[]>> = chosen.pages;

/** The words of this reference for those that readers say. */
export const words: Readonly<Record<string, string>> = chosen.words;

/** The paths of pages that the search shows before a word is typed. */
export const suggestions: readonly string[] = chosen.suggestions;
