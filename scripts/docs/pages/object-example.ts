import { nameOf } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Example, MediaType, OpenApiDocument, ResponseObject, Schema } from "../../document/types.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";

/** The first value of each named schema in the examples of the document. */
export function exampleValues(document: OpenApiDocument): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { schema, examples } of mediaTypes(document))
    for (const reference of Object.values(examples))
      collect({ document, found }, schema, dereference<Example>(document, reference).value);
  return found;
}

/** The bodies of all requests and responses. */
const mediaTypes = (document: OpenApiDocument): MediaType[] =>
  operationsOf(document).flatMap(({ operation: { requestBody, responses } }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap((response) =>
      Object.values(dereference<ResponseObject>(document, response).content ?? {}),
    ),
  ]);

interface Search {
  document: OpenApiDocument;
  found: Map<string, unknown>;
}

function collect(search: Search, given: Schema, value: unknown): void {
  const { document, found } = search;
  if (given.$ref !== undefined && value !== null && !found.has(nameOf(given.$ref)))
    found.set(nameOf(given.$ref), value);
  const { schema } = resolveSchema(document, given);
  for (const variant of schema.oneOf ?? schema.anyOf ?? [])
    if (isLike(document, variant, value)) collect(search, variant, value);
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) collect(search, schema.items, item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const property = schema.properties?.[name];
    if (property !== undefined) collect(search, property, inner);
  }
}

/** Whether a value has the required properties of a variant, and none that it excludes. */
function isLike(document: OpenApiDocument, variant: Schema, value: unknown): boolean {
  const { required = [], type, properties = {} } = resolveSchema(document, variant).schema;
  if (value === null || type === "null") return value === null && type === "null";
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return required.every((name) => names.includes(name)) && names.every((name) => name in properties);
}
