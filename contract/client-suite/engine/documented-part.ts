import type { OperationId } from "../../../generated/operations.ts";
import { isObject } from "../../../lib/is-object.ts";
import { document, resolve, type Schema } from "../../document.ts";
import { documented } from "../../response-checks/documented.ts";
import { branchFor } from "../../response-checks/nodes.ts";

/** What the document describes of a response body: a client may drop everything else. */
export function documentedPart(operation: OperationId, status: number, body: unknown): unknown {
  const schema = documented(operation, status)?.schema;
  return schema === undefined ? {} : partOf(schema, body);
}

function partOf(schema: Schema, value: unknown): unknown {
  const { anyOf = [], oneOf = [], ...own } = resolve<Schema>(document, schema);
  const branch = branchFor([...anyOf, ...oneOf], value);
  if (branch !== undefined) return partOf(branch, value);
  const { items, properties = {}, additionalProperties } = own;
  if (Array.isArray(value)) return items === undefined ? value : value.map((entry) => partOf(items, entry));
  // The names of a map are data.
  if (!isObject(value) || isObject(additionalProperties)) return value;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, inner]) => [name, partOf(inner, value[name])]),
  );
}
