import { mapValues } from "../../../lib/map-values.ts";
import { UserError } from "../../../lib/user-error.ts";
import { nameOf } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Reference, ResponseObject, Schema } from "../../document/types.ts";
import { notice } from "../notice.ts";
import { documentation } from "../print.ts";
import { compiled } from "./compile.ts";
import { type TextValue, textTypes, valuesSchema } from "./parameters.ts";
import { reachedFrom } from "./reach.ts";
import { validatorOf } from "./requests.ts";

const bounds = { technicalLimits: false };

/** One answer of the document: the schema of its body by name, its headers, and whether the body may be missing. */
interface Row {
  body: string | null;
  headers: TextValue[];
  mayBeEmpty: boolean;
}

/** The validators of what the service answers, and their types: the texts of `responses.js` and `responses.d.ts`. */
export async function responseFiles(document: OpenApiDocument): Promise<{ code: string; types: string }> {
  const operations = operationsOf(document).map(({ id, method, path, operation }) => ({
    id,
    heading: `${method.toUpperCase()} ${path}: ${operation.summary}.`,
    answers: rowsOf(document, operation.responses),
  }));
  const front = rowsOf(document, document["x-gateway-responses"] ?? {});
  const rows = [...operations.flatMap(({ answers }) => Object.values(answers)), ...Object.values(front)];
  const starts = rows.flatMap(({ body, headers }) => [
    ...(body === null ? [] : [{ $ref: `#/components/schemas/${body}` }]),
    ...headers.map(({ schema }) => schema),
  ]);
  const schemas = reachedFrom(document, starts, bounds);
  const names = Object.keys(schemas);
  const { declared, headersOf } = headerValidators(document, rows, schemas);
  const print = (row: Row): string =>
    `{ body: ${row.body === null ? null : `checks.${row.body}`}, headers: ${headersOf(row)}, mayBeEmpty: ${row.mayBeEmpty} },`;
  const group = (answers: Record<string, Row>): string =>
    Object.entries(answers)
      .map(([status, row]) => `${JSON.stringify(status)}: ${print(row)}`)
      .join("\n");
  const code = [
    'import * as checks from "contract:checks";',
    'import { valuesValidator } from "contract:runtime";',
    ...declared,
    `export const responses = {\n${operations.map(({ id, answers }) => `${id}: {\n${group(answers)}\n},`).join("\n")}\n};`,
    `export const gatewayResponses = {\n${group(front)}\n};`,
    `export const schemas = {\n${names.map((name) => `${name}: checks.${name},`).join("\n")}\n};`,
  ];
  return {
    code: await compiled({ schemas, code: code.join("\n") }),
    types: declarations(operations, front, names),
  };
}

function rowsOf(
  document: OpenApiDocument,
  answers: Record<string, Reference<ResponseObject>>,
): Record<string, Row> {
  return mapValues(answers, (reference, status) => {
    const answer = dereference<ResponseObject>(document, reference);
    const schema = answer.content?.["application/json"]?.schema;
    if (schema !== undefined && schema.$ref === undefined) {
      throw new UserError(`an answer with status ${status} has a schema without a name`, {
        hint: "Put the schema of the answer in a file of openapi/schemas/ and refer to it.",
      });
    }
    const headers = Object.entries(answer.headers ?? {}).map(([name, header]) => ({
      ...dereference<Header>(document, header),
      in: "header" as const,
      name: name.toLowerCase(),
    }));
    return {
      body: schema?.$ref === undefined ? null : nameOf(schema.$ref),
      headers,
      mayBeEmpty: schema === undefined || answer["x-empty-body"] === true,
    };
  });
}

/** Adds one schema for each different set of headers, and tells which validator an answer has. */
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

const preamble = `// ${notice}

import type { components } from "../types.ts";
import type { Texts, ValidationError, Validator } from "./requests.js";

/**
 * Checks the headers of an answer, given under their names in small letters. Headers that the document does not name
 * are let be. What is wrong stands in \`errors\` until the next call.
 */
export interface HeadersValidator {
  (headers: Texts): boolean;
  errors: ValidationError[] | null;
}

/**
 * What an answer of one status must be. Bounds that the document marks as its own (\`x-technical-limit\`) do not count, and
 * fields that the document does not name are let be.
 */
export interface AnswerValidator<Body> {
  body: Body;
  headers: HeadersValidator;
  /** Whether the answer may come without a body. */
  mayBeEmpty: boolean;
}

`;

function declarations(
  operations: { id: string; heading: string; answers: Record<string, Row> }[],
  front: Record<string, Row>,
  names: string[],
): string {
  const group = (answers: Record<string, Row>, indent: string): string =>
    Object.entries(answers)
      .map(([status, { body }]) => {
        const type = body === null ? "null" : validatorOf(body);
        return `${indent}${JSON.stringify(status)}: AnswerValidator<${type}>;\n`;
      })
      .join("");
  const rows = operations.map(
    ({ id, heading, answers }) => `${documentation(heading, 2)}  ${id}: {\n${group(answers, "    ")}  };\n`,
  );
  return (
    `${preamble}/** The answers of each operation by status; \`2XX\` stands for whichever status of success it is. */\n` +
    `export declare const responses: {\n${rows.join("")}};\n\n` +
    "/** The answers that come before any operation is reached: an unknown address, a method it does not take. */\n" +
    `export declare const gatewayResponses: {\n${group(front, "  ")}};\n\n` +
    "/** The named schemas that answers are made of, for checking a part by itself, such as one event. */\n" +
    `export declare const schemas: {\n${names.map((name) => `  ${name}: ${validatorOf(name)};\n`).join("")}};\n`
  );
}
