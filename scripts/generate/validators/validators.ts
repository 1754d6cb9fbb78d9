import { mapValues } from "../../../lib/objects.ts";
import { UserError } from "../../../lib/user-error.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type {
  Header,
  OpenApiDocument,
  Parameter,
  Reference,
  ResponseObject,
  Schema,
} from "../../document/types.ts";
import { bodyOf, schemaName } from "../operations.ts";
import { compiled, declarations, type Kind, prepared, reachedFrom } from "./compile.ts";
import type { ScalarType, TextType, TextTypes } from "./runtime.ts";

/** The validators of requests and their types: the texts of `requests.js` and `requests.d.ts`. */
export async function requestFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document);
  const starts = operations.flatMap(({ operation, parameters }) => [
    ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
    ...parameters.map(({ schema }) => schema),
  ]);
  const schemas = reachedFrom(document, starts, "requests");
  const names = Object.keys(schemas);
  const rows = operations.map(({ id, parameters, operation }) => {
    const properties = mapValues(byGroup(parameters), (values = []) => valuesSchema(values, "requests"));
    const name = addOnce(schemas, "parameters", { type: "object", properties });
    const types = mapValues(byGroup(parameters), (values = []) => textTypes(document, values));
    const body = bodyOf(operation);
    return `${id}: { body: ${body === null ? null : `checks.${body}`}, parameters: parametersValidator(checks.${name}, ${JSON.stringify(types)}) },`;
  });
  const code = [
    'import * as checks from "contract:checks";',
    'import { parametersValidator } from "contract:runtime";',
    `export const requests = {\n${rows.join("\n")}\n};`,
    `export const schemas = {\n${names.map((name) => `${name}: checks.${name},`).join("\n")}\n};`,
  ];
  return {
    code: await compiled(schemas, code.join("\n")),
    types: await declarations("requests", { SchemaName: names }),
  };
}

/** A value that travels as text: a parameter of a request or a header of a response. */
type TextValue = Pick<Parameter, "name" | "in" | "required" | "schema" | "style" | "explode">;

/** The parameters by the part of the request that they are in; names of headers are in lower case. */
const byGroup = (parameters: Parameter[]): Partial<Record<Parameter["in"], TextValue[]>> =>
  Object.groupBy(
    parameters.map(({ name, ...value }) => ({
      ...value,
      name: value.in === "header" ? name.toLowerCase() : name,
    })),
    (value) => value.in,
  );

/** The schema of values as an object with their names. */
const valuesSchema = (values: TextValue[], kind: Kind): Schema => ({
  type: "object",
  properties: Object.fromEntries(values.map(({ name, schema }) => [name, prepared(schema, kind)])),
  required: values.filter(({ required }) => required === true).map(({ name }) => name),
});

/**
 * How each value is read from text, by name.
 * @throws UserError for a style other than the default one of its group (`simple` in paths and headers, `form` in queries)
 */
const textTypes = (document: OpenApiDocument, values: TextValue[]): TextTypes =>
  Object.fromEntries(values.map((value) => [value.name, textType(document, value)]));

function textType(document: OpenApiDocument, value: TextValue): TextType {
  const form = value.in === "query";
  if ((value.style ?? (form ? "form" : "simple")) !== (form ? "form" : "simple"))
    throw new UserError(`the parameter ${value.name} has the unsupported style ${value.style}`, {
      hint: `Use the style ${form ? "form" : "simple"}, which is the default.`,
    });
  const { type, items } = dereference<Schema>(document, value.schema as Reference<Schema>);
  if (![type].flat().includes("array")) return scalarType(type);
  const itemType = scalarType(dereference<Schema>(document, (items ?? {}) as Reference<Schema>).type);
  return form && value.explode !== false ? [itemType] : [itemType, ","];
}

function scalarType(type: Schema["type"]): ScalarType {
  const found = [type].flat().find((name) => name !== "null");
  return found === "integer" || found === "number" || found === "boolean" ? found : "string";
}

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
  const schemas = reachedFrom(document, starts, "responses");
  const names = Object.keys(schemas);
  const declared = new Map<string, string>();
  const headersOf = ({ headers }: Row): string => {
    const name = addOnce(schemas, "headers", valuesSchema(headers, "responses"));
    const types = JSON.stringify(textTypes(document, headers));
    declared.set(name, `const ${name} = valuesValidator(checks.${name}, ${types});`);
    return name;
  };
  const print = (row: Row): string =>
    `{ body: ${row.body === null ? null : `checks.${row.body}`}, headers: ${headersOf(row)}, mayBeEmpty: ${row.mayBeEmpty} },`;
  const group = (responses: Record<string, Row>): string =>
    Object.entries(responses)
      .map(([status, row]) => `${JSON.stringify(status)}: ${print(row)}`)
      .join("\n");
  const validators = [
    `export const responses = {\n${operations.map(({ id, responses }) => `${id}: {\n${group(responses)}\n},`).join("\n")}\n};`,
    `export const gatewayResponses = {\n${group(gateway)}\n};`,
  ];
  const code = [
    'import * as checks from "contract:checks";',
    'import { valuesValidator } from "contract:runtime";',
    ...declared.values(),
    ...validators,
    `export const schemas = {\n${names.map((name) => `${name}: checks.${name},`).join("\n")}\n};`,
  ];
  const unions = { SchemaName: names, GatewayStatus: Object.keys(gateway) };
  return { code: await compiled(schemas, code.join("\n")), types: await declarations("responses", unions) };
}

const rowsOf = (document: OpenApiDocument, responses: Record<string, Reference<ResponseObject>>) =>
  mapValues(responses, (reference, status) => {
    const response = dereference<ResponseObject>(document, reference);
    const schema = response.content?.["application/json"]?.schema;
    return {
      body: schema === undefined ? null : schemaName(schema, `a response with status ${status}`),
      headers: Object.entries(response.headers ?? {}).map(([name, header]) => ({
        ...dereference<Header>(document, header),
        in: "header" as const,
        name: name.toLowerCase(),
      })),
      mayBeEmpty: schema === undefined || response["x-empty-body"] === true,
    };
  });

/** Adds a schema under a numbered name, unless an equal one has such a name. @returns the name */
function addOnce(schemas: Record<string, Schema>, kind: "parameters" | "headers", schema: Schema): string {
  const names = Object.keys(schemas).filter((name) => name.startsWith(`${kind}_`));
  const text = JSON.stringify(schema);
  const same = names.find((name) => JSON.stringify(schemas[name]) === text);
  const name = same ?? `${kind}_${names.length + 1}`;
  schemas[name] = schema;
  return name;
}
