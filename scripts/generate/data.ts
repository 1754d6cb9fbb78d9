import { limitOf } from "../document/limits.ts";
import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import { requirementsOf } from "../document/requirements.ts";
import { headerNames } from "../document/responses.ts";
import type { Example, OpenApiDocument, ResponseObject } from "../document/types.ts";
import { constant, documentation, keyed, property } from "./print.ts";

/** Declared here, and not with the types from schemas: readers of the guide copy the file of the errors alone. */
const errorDeclarations = `/** An error: one row for each status and \`error.type\`. */
export interface ErrorRow {
  /** \`<status>.<type>\`, or the status alone if the type is unspecified. */
  readonly id: string;
  readonly status: number;
  /** \`error.type\`; null if unspecified. */
  readonly type: string | null;
  readonly when: string;
  /** The operations that can return it; empty for gateway responses. */
  readonly operations: readonly string[];
  /** Whether \`error.fields\` is required. */
  readonly namesFields: boolean;
  /** Whether to retry the request: never, after \`Retry-After\`, or with backoff. */
  readonly retry: "never" | "after" | "backoff";
  /** What to do about it. */
  readonly resolution: string;
}

`;

export function errorsFile(document: OpenApiDocument): string {
  const rows = document["x-errors"].map((row) => {
    const { id, status, type, when, operations, namesFields = false, retry, resolution } = row;
    return { id, status, type, when, operations, namesFields, retry, resolution };
  });
  return (
    `${errorDeclarations}${constant("errors", "The error table, by id.", keyed(rows, "x-errors"), "Record<string, ErrorRow>")}\n` +
    "/** The id of a row of the error table. */\nexport type ErrorId = keyof typeof errors;\n"
  );
}

/** The limits by name, each with its description and unit as a comment, and the technical limit that the sandbox needs. */
export function limitsFile(document: OpenApiDocument): string {
  const entries = Object.entries(document["x-limits"]).map(
    ([name, row]) =>
      `${documentation(`${row.description.trim()}\n\nUnit: ${row.unit}.`, 2)}` +
      `  ${property(name)}: ${limitOf(document, name, row)},\n`,
  );
  const { maxProperties } = document.components.schemas?.TemplateVariables ?? {};
  return (
    `/** The limits of the service, by name. */\nexport const limits = {\n${entries.join("")}} as const;\n` +
    (maxProperties === undefined
      ? ""
      : `\n/** The most variables of a template in a request. */\nexport const mostVariables = ${maxProperties};\n`)
  );
}

const headerDeclarations = `/** A response header. */
export interface HeaderRow {
  /** Its name in responses. */
  readonly name: string;
  /** The only operations whose responses have it; null if it is not limited to some. */
  readonly operations: readonly string[] | null;
}

`;

export function headersFile(document: OpenApiDocument): string {
  const rows = new Map(
    [...headerNames(document)].map(([component, name]) => {
      const header = dereference(document, document.components.headers?.[component] ?? {});
      return [component, { name, operations: "x-operations" in header ? header["x-operations"] : null }];
    }),
  );
  const comment = "The response headers, by component name.";
  return headerDeclarations + constant("headers", comment, rows, "Record<string, HeaderRow>");
}

export function idsFile(document: OpenApiDocument): string {
  const prefixes = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    schema["x-prefix"] === undefined ? [] : [[name, schema["x-prefix"]] as const],
  );
  return constant("idPrefixes", "The prefixes of ids, by schema name.", new Map(prefixes));
}

/** What the sandbox has from the examples. */
export function examplesFile(document: OpenApiDocument): string {
  const failures = document["x-errors"].filter(({ status }) => status >= 500);
  const messages = failures.flatMap(({ status, operations: [id] }) => {
    const response = operationsOf(document).find((one) => one.id === id)?.operation.responses[status];
    if (response === undefined) return [];
    const { content } = dereference<ResponseObject>(document, response);
    const [example] = Object.values(content?.["application/json"]?.examples ?? {});
    if (example === undefined) return [];
    const { error } = dereference<Example>(document, example).value as { error: { message: string } };
    return [[String(status), error.message] as const];
  });
  const ofTime = "The time at which all examples of the document are valid together.";
  const ofMessages = "The messages of failures of the service in the examples, by status.";
  return `${constant("exampleTime", ofTime, document["x-example-time"])}\n${constant("failureMessages", ofMessages, new Map(messages))}`;
}

export function requirementsFile(document: OpenApiDocument): string {
  const comment =
    "The requirements of the service, by id. One that no check verifies is excluded, with the reason.";
  const other =
    "The unspecified behavior, by id. `absent`: JSON Pointers into openapi.json that must not exist; `*` is any segment.";
  return [
    constant("requirements", comment, keyed(requirementsOf(document), "x-requirements")),
    constant("unspecified", other, keyed(document["x-unspecified"], "x-unspecified")),
    constant("levels", "The levels of conformance, the least first.", document["x-levels"] ?? []),
  ].join("\n");
}
