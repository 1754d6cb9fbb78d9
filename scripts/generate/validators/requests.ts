import { mapValues } from "../../../lib/map-values.ts";
import { operationsOf, type PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { notice } from "../notice.ts";
import { bodyOf } from "../operations.ts";
import { documentation } from "../print.ts";
import { compiled } from "./compile.ts";
import { groupsOf, typesOf, valuesSchema } from "./parameters.ts";
import { reachedFrom } from "./reach.ts";

const reading = { ceilings: true };

/** The validators of what clients send, and their types: the texts of `requests.js` and `requests.d.ts`. */
export async function requestFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document);
  const starts = operations.flatMap(({ operation, parameters }) => [
    ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
    ...parameters.map(({ schema }) => schema),
  ]);
  const named = reachedFrom(document, starts, reading);
  const names = Object.keys(named);
  const schemas = { ...named };
  const rows = operations.map(({ id, parameters, operation }) => {
    const groups = Object.fromEntries(groupsOf(parameters));
    schemas[`parameters_${id}`] = {
      type: "object",
      properties: mapValues(groups, (group) => valuesSchema(group, reading)),
    };
    const types = JSON.stringify(mapValues(groups, (group) => typesOf(document, group)));
    const body = bodyOf(operation);
    return `${id}: { body: ${body === null ? null : `checks.${body}`}, parameters: groupsValidator(checks.parameters_${id}, ${types}) },`;
  });
  const code = [
    'import * as checks from "contract:checks";',
    'import { groupsValidator } from "contract:runtime";',
    `export const requests = {\n${rows.join("\n")}\n};`,
    `export const schemas = {\n${names.map((name) => `${name}: checks.${name},`).join("\n")}\n};`,
  ];
  return { code: await compiled({ schemas, code: code.join("\n") }), types: declarations(operations, names) };
}

const preamble = `// ${notice}

import type { components } from "../types.ts";

/** One thing that is wrong with the data, as ajv tells it. */
export interface ValidationError {
  /** Where: a JSON pointer into the data, empty for the data as a whole. */
  instancePath: string;
  /** The keyword of the schema that does not hold, such as \`maxLength\`. */
  keyword: string;
  /** What the keyword asks for, such as \`{ limit: 3 }\` or \`{ missingProperty: "to" }\`. */
  params: Record<string, unknown>;
  /** Where the keyword stands: the name of the schema and a JSON pointer into it. */
  schemaPath: string;
  /** The name that is wrong, where a rule on the names of an object does not hold. */
  propertyName?: string;
  /** The rule in English, such as "must NOT have more than 3 items". */
  message?: string;
}

/**
 * Tells whether the data holds. What is wrong stands in \`errors\` until the next call, null when nothing is;
 * all of it, not only the first. Several operations may share one validator.
 */
export interface Validator<Value> {
  (data: unknown): data is Value;
  errors: ValidationError[] | null;
}

/** Values that travel as text, by name. They are checked as the types they stand for and left as they are. */
export type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks the parameters of a call: those in the path decoded, headers under their names in small letters.
 * Values that the document does not name are let be. Paths of errors begin with the group: \`/path/id\`.
 */
export interface ParametersValidator {
  (parameters: { path?: Texts; query?: Texts; header?: Texts }): boolean;
  errors: ValidationError[] | null;
}

`;

function declarations(operations: PlacedOperation[], names: string[]): string {
  const rows = operations.map(({ id, method, path, operation }) => {
    const body = bodyOf(operation);
    return (
      documentation(`${method.toUpperCase()} ${path}: ${operation.summary}.`, 2) +
      `  ${id}: { body: ${body === null ? "null" : validatorOf(body)}; parameters: ParametersValidator };\n`
    );
  });
  const all = names.map((name) => `  ${name}: ${validatorOf(name)};\n`);
  return (
    `${preamble}/** What each operation takes: its body (null where it takes none) and its parameters. */\n` +
    `export declare const requests: {\n${rows.join("")}};\n\n` +
    "/** The named schemas that requests are made of, for checking a part by itself, such as one message of a batch. */\n" +
    `export declare const schemas: {\n${all.join("")}};\n`
  );
}

/** The type of the validator of a named schema. */
export function validatorOf(name: string): string {
  return `Validator<components["schemas"][${JSON.stringify(name)}]>`;
}
