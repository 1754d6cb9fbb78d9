import { operationsOf } from "../../document/operations.ts";
import { follow } from "../../document/references.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { entriesOf, isNode } from "../../document/values.ts";

/** What the page of an operation shows at least. */
const required = ["operationId", "summary", "description", "tags", "responses"] as const;

/** The parts of a document without which there is no page. */
const parts = ["info", "servers", "tags", "paths", "components"] as const;

/** Why a document that an overlay changed cannot be published; to be read after the name of an action. */
export function documentProblems(document: OpenApiDocument): string[] {
  const missing = parts.filter((key) => document[key] === undefined);
  if (missing.length > 0) return missing.map((key) => `must not remove ${key} from the document`);
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
  return [...incomplete, ...repeated, ...unresolved(document, document, [])];
}

/** The `$ref`s that lead to nothing. Examples may contain a property with that name. */
function unresolved(document: OpenApiDocument, value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => unresolved(document, one, [...path, String(index)]));
  if (!isNode(value)) return [];
  const { $ref } = value;
  if (typeof $ref === "string" && typeof follow(document, [], value).value.$ref === "string")
    return [`leaves the unresolved $ref ${$ref} (${path.join(" > ")})`];
  return entriesOf(value).flatMap(([key, child]) =>
    ["value", "example", "default", "const"].includes(key) && path.at(-1) !== "properties"
      ? []
      : unresolved(document, child, [...path, key]),
  );
}
