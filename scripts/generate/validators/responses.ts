import { mapValues } from "../../../lib/objects.ts";
import { UserError } from "../../../lib/user-error.ts";
import { nameOf } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Reference, ResponseObject, Schema } from "../../document/types.ts";
import { documentation } from "../print.ts";
import { compiled, reachedFrom } from "./compile.ts";
import { type TextValue, textTypes, validatorOf, valuesSchema } from "./requests.ts";

const bounds = { technicalLimits: false };

/** A response of the document: the schema name of its body, its headers, and whether the body may be empty. */
interface Row {
  body: string | null;
  headers: TextValue[];
  mayBeEmpty: boolean;
}

/** The validators of responses and their types: the texts of `responses.js` and `responses.d.ts`. */
export async function responseFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document).map(({ id, method, path, operation }) => ({
    id,
    heading: `${method.toUpperCase()} ${path}: ${operation.summary}.`,
    responses: rowsOf(document, operation.responses),
  }));
  const gateway = rowsOf(document, document["x-gateway-responses"] ?? {});
  const rows = [
    ...operations.flatMap(({ responses }) => Object.values(responses)),
    ...Object.values(gateway),
  ];
  const starts = rows.flatMap(({ body, headers }) => [
    ...(body === null ? [] : [{ $ref: `#/components/schemas/${body}` }]),
    ...headers.map(({ schema }) => schema),
  ]);
  const schemas = reachedFrom(document, starts, bounds);
  const names = Object.keys(schemas);
  const { declared, headersOf } = headerValidators(document, rows, schemas);
  const print = (row: Row): string =>
    `{ body: ${row.body === null ? null : `checks.${row.body}`}, headers: ${headersOf(row)}, mayBeEmpty: ${row.mayBeEmpty} },`;
  const group = (responses: Record<string, Row>): string =>
    Object.entries(responses)
      .map(([status, row]) => `${JSON.stringify(status)}: ${print(row)}`)
      .join("\n");
  const code = [
    'import * as checks from "contract:checks";',
    'import { valuesValidator } from "contract:runtime";',
    ...declared,
    `export const responses = {\n${operations.map(({ id, responses }) => `${id}: {\n${group(responses)}\n},`).join("\n")}\n};`,
    `export const gatewayResponses = {\n${group(gateway)}\n};`,
    `export const schemas = {\n${names.map((name) => `${name}: checks.${name},`).join("\n")}\n};`,
  ];
  return {
    code: await compiled(schemas, code.join("\n")),
    types: declarations(operations, gateway, names),
  };
}

function rowsOf(
  document: OpenApiDocument,
  responses: Record<string, Reference<ResponseObject>>,
): Record<string, Row> {
  return mapValues(responses, (reference, status) => {
    const response = dereference<ResponseObject>(document, reference);
    const schema = response.content?.["application/json"]?.schema;
    if (schema !== undefined && schema.$ref === undefined) {
      throw new UserError(`a response with status ${status} has no named schema`, {
        hint: "Move the schema to a file in openapi/schemas/ and refer to it.",
      });
    }
    const headers = Object.entries(response.headers ?? {}).map(([name, header]) => ({
      ...dereference<Header>(document, header),
      in: "header" as const,
      name: name.toLowerCase(),
    }));
    return {
      body: schema?.$ref === undefined ? null : nameOf(schema.$ref),
      headers,
      mayBeEmpty: schema === undefined || response["x-empty-body"] === true,
    };
  });
}

/** Adds one schema for each distinct set of headers, and returns the name of the validator of a response. */
function headerValidators(
  document: OpenApiDocument,
  rows: Row[],
  schemas: Record<string, Schema>,
): { declared: string[]; headersOf: (row: Row) => string } {
  const names = new Map<string, string>();
  const declared: string[] = [];
  const keyOf = ({ headers }: Row): string => JSON.stringify(valuesSchema(headers, bounds));
  for (const row of rows) {
    if (names.has(keyOf(row))) continue;
    const name = `headers_${names.size + 1}`;
    names.set(keyOf(row), name);
    schemas[name] = valuesSchema(row.headers, bounds);
    const types = JSON.stringify(textTypes(document, row.headers));
    declared.push(`const ${name} = valuesValidator(checks.${name}, ${types});`);
  }
  return { declared, headersOf: (row) => names.get(keyOf(row)) ?? "" };
}

const preamble = `import type { components } from "../types.ts";
import type { Texts, ValidationError, Validator } from "./requests.js";

/**
 * Validates the headers of a response, with names in lower case. Headers that the document does not name are ignored.
 * \`errors\` has the violations until the next call.
 */
export interface HeadersValidator {
  (headers: Texts): boolean;
  errors: ValidationError[] | null;
}

/**
 * The validators of a response with one status code. Technical limits (\`x-technical-limit\`) and properties that the
 * document does not name are ignored.
 */
export interface ResponseValidator<Body> {
  body: Body;
  headers: HeadersValidator;
  /** Whether the body may be empty. */
  mayBeEmpty: boolean;
}

`;

function declarations(
  operations: { id: string; heading: string; responses: Record<string, Row> }[],
  gateway: Record<string, Row>,
  names: string[],
): string {
  const group = (responses: Record<string, Row>, indent: string): string =>
    Object.entries(responses)
      .map(([status, { body }]) => {
        const type = body === null ? "null" : validatorOf(body);
        return `${indent}${JSON.stringify(status)}: ResponseValidator<${type}>;\n`;
      })
      .join("");
  const rows = operations.map(
    ({ id, heading, responses }) =>
      `${documentation(heading, 2)}  ${id}: {\n${group(responses, "    ")}  };\n`,
  );
  return (
    `${preamble}/** The responses of each operation by status; \`2XX\` is any success status. */\n` +
    `export declare const responses: {\n${rows.join("")}};\n\n` +
    "/** The gateway responses, for an unknown path or an unsupported method. */\n" +
    `export declare const gatewayResponses: {\n${group(gateway, "  ")}};\n\n` +
    "/** The validators of the named schemas in responses, for a part by itself such as one event. */\n" +
    `export declare const schemas: {\n${names.map((name) => `  ${name}: ${validatorOf(name)};\n`).join("")}};\n`
  );
}
