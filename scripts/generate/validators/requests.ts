import { mapValues } from "../../../lib/objects.ts";
import { UserError } from "../../../lib/user-error.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Parameter, Reference, Schema } from "../../document/types.ts";
import { bodyOf } from "../operations.ts";
import { documentation } from "../print.ts";
import { type Bounds, compiled, prepared, reachedFrom } from "./compile.ts";
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
    const schema = parametersSchema(parameters, bounds);
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
  return { code: await compiled(schemas, code.join("\n")), types: declarations(operations, names) };
}

const preamble = `import type { components, operations } from "../types.ts";

/** One violation of a schema, as ajv reports it. */
export interface ValidationError {
  /** Where: a JSON Pointer into the data, empty for the data as a whole. */
  instancePath: string;
  /** The keyword that the data violates, such as \`maxLength\`. */
  keyword: string;
  /** What the keyword requires, such as \`{ limit: 3 }\` or \`{ missingProperty: "to" }\`. */
  params: Record<string, unknown>;
  /** Where the keyword stands: the name of the schema and a JSON Pointer into it. */
  schemaPath: string;
  /** The property name that is invalid, for a rule on property names. */
  propertyName?: string;
  /** The rule in English, such as "must NOT have more than 3 items". */
  message?: string;
}

/**
 * Returns whether the data is valid. \`errors\` has all violations until the next call; null if there are none.
 * Several operations may share one validator.
 */
export interface Validator<Value> {
  (data: unknown): data is Value;
  errors: ValidationError[] | null;
}

/** Values that travel as text, by name; one that is repeated is a list. */
export type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A \`URLSearchParams\`, so far as it is read. */
export interface SearchParams {
  keys(): Iterable<string>;
  getAll(name: string): string[];
}

/** The parameters of a request as text: path parameters percent-decoded, names of headers in lower case. */
export interface ParameterTexts {
  path?: Texts;
  query?: Texts | SearchParams;
  header?: Texts;
}

/** The parameters of an operation as the types of their schemas; each group is there, also if it is empty. */
export interface ParameterValues<Id extends keyof operations> {
  path: Group<operations[Id]["parameters"]["path"]>;
  query: Group<operations[Id]["parameters"]["query"]>;
  header: { [Name in keyof Group<operations[Id]["parameters"]["header"]> as Lowercase<Name & string>]: Group<operations[Id]["parameters"]["header"]>[Name] };
}
type Group<Values> = [NonNullable<Values>] extends [never] ? Record<never, never> : NonNullable<Values>;

/**
 * Validates the parameters of a request: text is read as the type of its schema first (integer, number, boolean, array).
 * Parameters that the document does not name are ignored. The paths of errors begin with the group: \`/query/limit\`.
 */
export interface ParametersValidator<Id extends keyof operations> {
  (parameters: ParameterTexts): boolean;
  /** The violations of the last call; null if there were none. */
  errors: ValidationError[] | null;
  /** The values as their types, and all violations: null if there are none, and only then are the values of these types. */
  parse(parameters: ParameterTexts): { values: ParameterValues<Id>; errors: ValidationError[] | null };
}

`;

function declarations(operations: PlacedOperation[], names: string[]): string {
  const rows = operations.map(({ id, method, path, operation }) => {
    const body = bodyOf(operation);
    return (
      documentation(`${method.toUpperCase()} ${path}: ${operation.summary}.`, 2) +
      `  ${id}: { body: ${body === null ? "null" : validatorOf(body)}; parameters: ParametersValidator<${JSON.stringify(id)}> };\n`
    );
  });
  const all = names.map((name) => `  ${name}: ${validatorOf(name)};\n`);
  return (
    `${preamble}/** The validators of each operation: of the body (null if it takes none) and of the parameters. */\n` +
    `export declare const requests: {\n${rows.join("")}};\n\n` +
    "/** The validators of the named schemas in requests, for a part by itself such as one message of a batch. */\n" +
    `export declare const schemas: {\n${all.join("")}};\n`
  );
}

/** The type of the validator of a named schema. */
export function validatorOf(name: string): string {
  return `Validator<components["schemas"][${JSON.stringify(name)}]>`;
}

/** A value that travels as text: a parameter of a request or a header of a response. */
export type TextValue = Pick<Parameter, "name" | "in" | "required" | "schema" | "style" | "explode">;

/** The parameters by the part of the request that they are in; names of headers are in lower case. */
const byGroup = (parameters: Parameter[]): Partial<Record<Parameter["in"], TextValue[]>> =>
  Object.groupBy(
    parameters.map(
      (value): TextValue => ({
        ...value,
        name: value.in === "header" ? value.name.toLowerCase() : value.name,
      }),
    ),
    (value) => value.in,
  );

/** The schema of values as an object with their names. */
export function valuesSchema(values: TextValue[], bounds: Bounds): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(values.map(({ name, schema }) => [name, prepared(schema, bounds)])),
    required: values.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** The schema of the parameters of an operation, by group. */
const parametersSchema = (parameters: Parameter[], bounds: Bounds): Schema => ({
  type: "object",
  properties: mapValues(byGroup(parameters), (values = []) => valuesSchema(values, bounds)),
});

/**
 * How each value is read from text, by name.
 *
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
