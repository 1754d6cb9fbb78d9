import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import type { HeadElement } from "../head.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { operationPath } from "../text/page-paths.ts";
import { synonyms } from "./synonyms.ts";

/** What counts more than any text of a page: its title, its keywords, and for an operation method and path. */
export const metaWeights = { title: 5, keywords: 10, endpoint: 10 };

/** What leads the search to a page, whether or not its text has the words: elements of its head, by its path. */
export function searchElements(document: OpenApiDocument): ReadonlyMap<string, readonly HeadElement[]> {
  const keywords = new Map(Object.entries(synonyms));
  const add = (path: string, words: readonly string[]): void => {
    keywords.set(path, [...words, ...(keywords.get(path) ?? [])]);
  };
  const operations = operationsOf(document);
  for (const operation of operations) add(operationPath(operation.id), operationWords(document, operation));
  const errors = document["x-errors"];
  add("errors", [...new Set(errors.flatMap(({ status, type }) => [String(status), type ?? []].flat()))]);
  const endpoints = new Map(
    operations.map((operation) => [operationPath(operation.id), endpoint(operation)]),
  );
  return new Map(
    [...keywords].map(([path, words]) => {
      const named = endpoints.get(path);
      return [path, [meta("keywords", words.join(", ")), ...(named ? [meta("endpoint", named)] : [])]];
    }),
  );
}

const meta = (name: keyof typeof metaWeights, content: string): HeadElement => ({
  tag: "meta",
  attrs: { name, content, "data-pagefind-meta": `${name}[content]` },
});

/** `POST /emails`: the last segment only. The search takes a word inside a longer path for a match too. */
function endpoint({ method, path }: PlacedOperation): string {
  const [segment = path] = /\/[^/{}]+(?=(?:\/\{[^/]*\})?$)/.exec(path) ?? [];
  return `${method.toUpperCase()} ${segment}`;
}

/** The names of an operation, and of what its requests have. */
function operationWords(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
): string[] {
  const bodies = Object.values(operation.requestBody?.content ?? {});
  return [
    id,
    `${method.toUpperCase()} ${path}`,
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ schema }) => propertyNames(document, schema)),
  ];
}

/** The properties of a schema and of its variants, each once. */
function propertyNames(document: OpenApiDocument, given: Schema): string[] {
  const { properties = {}, oneOf = [] } = resolveSchema(document, given).schema;
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap((one) => propertyNames(document, one))])];
}
