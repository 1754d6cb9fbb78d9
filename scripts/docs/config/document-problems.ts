import { describePath, schemaProblems } from "../../../lib/schema-errors.ts";
import { operationsOf } from "../../document/operations.ts";
import { follow } from "../../document/references.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { everyText } from "../../document/values.ts";
import schema from "./document.schema.json" with { type: "json" };

/** What the page of an operation shows at least. */
const required = ["operationId", "summary", "description", "tags", "responses"] as const;

/** The parts that a document lacks for a site: without one of them there is no page. */
export const missingParts = (document: OpenApiDocument): string[] =>
  Object.keys(schema.properties).filter((key) => document[key as keyof OpenApiDocument] === undefined);

/** Why a document that an overlay changed cannot be published; to be read after the name of an action. */
export function documentProblems(document: OpenApiDocument): string[] {
  const missing = missingParts(document);
  if (missing.length > 0) return missing.map((key) => `must not remove ${key} from the document`);
  const invalid = schemaProblems(schema, document);
  if (invalid.length > 0)
    return invalid.map(
      ({ path, message }) => `leaves the document invalid: ${describePath(path)} ${message}`,
    );
  // Operations are listed once per document: this one may change further.
  const operations = operationsOf(structuredClone(document));
  const incomplete = operations.flatMap(({ operation, method, path }) => {
    const keys = required.filter((key) => operation[key] === undefined);
    return keys.length === 0 ? [] : [`leaves ${method.toUpperCase()} ${path} without ${keys.join(", ")}`];
  });
  const byId = Map.groupBy(operations, ({ id }) => id);
  const repeated = [...byId].flatMap(([id, [one, other]]) =>
    other === undefined
      ? []
      : [`gives two operations the operationId ${id} (${one?.path ?? ""} and ${other.path})`],
  );
  return [...incomplete, ...repeated, ...unresolved(document)];
}

/** Objects with names of the author as keys: one of them may be `default`. */
const maps = new Set<unknown>([
  ...["paths", "responses", "content", "headers", "examples", "links", "callbacks", "properties", "$defs"],
  ...["patternProperties", "dependentSchemas", "schemas", "parameters", "requestBodies", "pathItems"],
]);

/** The keywords with a value of the API itself, which may contain a property `$ref`. */
const values = new Set<unknown>(["value", "example", "default", "const", "enum"]);

/** The unresolved `$ref`s. The texts of a document are listed once: this one may change further. */
function unresolved(document: OpenApiDocument): string[] {
  const references = everyText({ ...document }).filter(
    ({ path }) =>
      path.at(-1) === "$ref" && !path.some((key, index) => values.has(key) && !maps.has(path[index - 1])),
  );
  return references
    .filter(({ text }) => typeof follow(document, [], { $ref: text }).value.$ref === "string")
    .map(({ path, text }) => `leaves the unresolved $ref ${text} (${path.slice(0, -1).join(" > ")})`);
}
