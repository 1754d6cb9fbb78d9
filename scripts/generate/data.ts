import { limitOf } from "../document/limits.ts";
import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import { requirementsOf } from "../document/requirements.ts";
import { headerNames } from "../document/responses.ts";
import type { Example, OpenApiDocument, ResponseObject } from "../document/types.ts";
import { constant, documentation, keyed, property } from "../document/typescript.ts";

/** The limits with a number by name, each with its description and unit as a comment, and the technical limit that the sandbox needs. */
export function limitsFile(document: OpenApiDocument): string {
  const entries = Object.entries(document["x-limits"]).map(([name, row]) => {
    const value = limitOf(document, name, row);
    const comment = documentation(`${row.description.trim()}\n\nUnit: ${row.unit}.`, 2);
    return value === undefined ? "" : `${comment}  ${property(name)}: ${value},\n`;
  });
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
