import { mapValues } from "../../../lib/objects.ts";
import { UserError } from "../../../lib/user-error.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Parameter, Reference, Schema } from "../../document/types.ts";
import { bodyOf } from "../operations.ts";
import { type Bounds, compiled, declarations, prepared, reachedFrom } from "./compile.ts";
import type { ScalarType, TextType, TextTypes } from "./runtime.ts";

const bounds = { technicalLimits: true };

/** The validators of requests and their types: the texts of `requests.js` and `requests.d.ts`. */
export async function requestFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document);
  const starts = operations.flatMap(({ operation, parameters }) => [
    ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
    ...parameters.map(({ schema }) => schema),
  ]);
  const named = reachedFrom(document, starts, bounds);
  const names = Object.keys(named);
  const schemas = { ...named };
  const shared = new Map<string, string>();
  const rows = operations.map(({ id, parameters, operation }) => {
    const properties = mapValues(byGroup(parameters), (values = []) => valuesSchema(values, bounds));
    const schema: Schema = { type: "object", properties };
    const name = shared.get(JSON.stringify(schema)) ?? `parameters_${shared.size + 1}`;
    shared.set(JSON.stringify(schema), name);
    schemas[name] = schema;
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
export type TextValue = Pick<Parameter, "name" | "in" | "required" | "schema" | "style" | "explode">;

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
export const valuesSchema = (values: TextValue[], bounds: Bounds): Schema => ({
  type: "object",
  properties: Object.fromEntries(values.map(({ name, schema }) => [name, prepared(schema, bounds)])),
  required: values.filter(({ required }) => required === true).map(({ name }) => name),
});

/**
 * How each value is read from text, by name.
 * @throws UserError for a style other than the default one of its group (`simple` in paths and headers, `form` in queries)
 */
export const textTypes = (document: OpenApiDocument, values: TextValue[]): TextTypes =>
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
