import { mapValues } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { nameOf } from "../document/json-pointer.ts";
import {
  abilitiesOf,
  isIdempotencyKey,
  methodsOf,
  operationsOf,
  type PlacedOperation,
} from "../document/operations.ts";
import type { OpenApiDocument, Operation, Schema } from "../document/types.ts";
import { constant, keyed } from "../document/typescript.ts";

function productType({ tags }: OpenApiDocument): string {
  const names = new Set(tags.flatMap((tag) => tag["x-product"] ?? []).map((name) => JSON.stringify(name)));
  return `/** A product that operations require of the account. */\nexport type Product = ${[...names].join(" | ") || "never"};\n\n`;
}

const withInput = `/** The operationId of an operation with a path parameter or a request body. */
export type OperationWithInput = {
  [Id in OperationId]: (typeof operations)[Id] extends { pathParameters: readonly []; requestBody: null } ? never : Id;
}[OperationId];

`;

const declarations = `/** One operation of the API. */
export interface OperationRow {
  /** The operationId. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path template, with \`{name}\` for each path parameter. */
  readonly path: string;
  readonly tag: string;
  /** The required product of the account; null if none. */
  readonly product: Product | null;
  /** The required ability of the key; null if unspecified. */
  readonly ability: string | null;
  /** Whether it accepts an \`Idempotency-Key\`. */
  readonly idempotent: boolean;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** The success status codes: \`202\`, or \`2XX\` if unspecified. */
  readonly success: readonly string[];
  /** The schema name of the request body; null if there is none. */
  readonly requestBody: string | null;
  /** The ids of its rows in the error table. */
  readonly errors: readonly string[];
}

`;

export function operationsFile(document: OpenApiDocument): string {
  const operations = operationsOf(document).map((placed) => ({ id: placed.id, ...row(document, placed) }));
  const methodsComment = "The methods that each path supports, for the `Allow` header.";
  const methodsByPath = mapValues(document.paths, (item) =>
    methodsOf(item).map((method) => method.toUpperCase()),
  );
  const abilities = mapValues(document["x-abilities"], ({ description }) => description);
  return (
    `${productType(document)}${declarations}` +
    `${constant("operations", "The operations by operationId.", keyed(operations, "paths"), "Record<string, OperationRow>")}\n` +
    "/** The operationId of an operation. */\nexport type OperationId = keyof typeof operations;\n\n" +
    withInput +
    `${constant("methodsByPath", methodsComment, methodsByPath, "Record<string, readonly string[]>")}\n` +
    constant("abilities", "The descriptions of the abilities, by name.", abilities, "Record<string, string>")
  );
}

function row(document: OpenApiDocument, { id, path, method, operation, parameters }: PlacedOperation) {
  const namesIn = (group: string): string[] =>
    parameters.filter((parameter) => parameter.in === group).map(({ name }) => name);
  return {
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0],
    product: document.tags.find(({ name }) => name === operation.tags[0])?.["x-product"] ?? null,
    // The lint rejects several.
    ability: abilitiesOf(operation)[0] ?? null,
    idempotent: parameters.some(isIdempotencyKey),
    pathParameters: namesIn("path"),
    queryParameters: namesIn("query"),
    success: Object.keys(operation.responses).filter((status) => status.startsWith("2")),
    requestBody: bodyOf(operation),
    errors: document["x-errors"].filter((error) => error.operations.includes(id)).map((error) => error.id),
  };
}

/** The schema name of the request body; null if there is none. */
export const bodyOf = ({ operationId, requestBody }: Operation): string | null =>
  requestBody === undefined
    ? null
    : schemaName(requestBody.content["application/json"]?.schema, `the body of ${operationId}`);

/** The name of the schema of a body. @throws UserError if it is not a component */
export function schemaName(schema: Schema | undefined, body: string): string {
  if (schema?.$ref !== undefined) return nameOf(schema.$ref);
  throw new UserError(`${body} has no named schema`, {
    hint: "Move the schema to a file in openapi/schemas/ and refer to it.",
  });
}
