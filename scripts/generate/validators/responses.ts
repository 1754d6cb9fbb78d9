import { mapValues } from "../../../lib/objects.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Reference, ResponseObject, Schema } from "../../document/types.ts";
import { schemaName } from "../operations.ts";
import { compiled, declarations, reachedFrom } from "./compile.ts";
import { type TextValue, textTypes, valuesSchema } from "./requests.ts";

const bounds = { technicalLimits: false };

/** A response of the document: the schema name of its body, its headers, and whether the body may be empty. */
interface Row {
  body: string | null;
  headers: TextValue[];
  mayBeEmpty: boolean;
}

/** The validators of responses and their types: the texts of `responses.js` and `responses.d.ts`. */
export async function responseFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document).map(({ id, operation }) => ({
    id,
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
  const unions = { SchemaName: names, GatewayStatus: Object.keys(gateway) };
  return { code: await compiled(schemas, code.join("\n")), types: await declarations("responses", unions) };
}

const rowsOf = (document: OpenApiDocument, responses: Record<string, Reference<ResponseObject>>) =>
  mapValues(responses, (reference, status) => {
    const response = dereference<ResponseObject>(document, reference);
    const schema = response.content?.["application/json"]?.schema;
    const headers = Object.entries(response.headers ?? {}).map(([name, header]) => ({
      ...dereference<Header>(document, header),
      in: "header" as const,
      name: name.toLowerCase(),
    }));
    return {
      body: schema === undefined ? null : schemaName(schema, `a response with status ${status}`),
      headers,
      mayBeEmpty: schema === undefined || response["x-empty-body"] === true,
    };
  });

/** Adds one schema for each distinct set of headers, and returns the name of the validator of a response. */
function headerValidators(document: OpenApiDocument, rows: Row[], schemas: Record<string, Schema>) {
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
  return { declared, headersOf: (row: Row) => names.get(keyOf(row)) ?? "" };
}
