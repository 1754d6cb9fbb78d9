import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** A JSON Schema (2020-12), as far as the suite reads it. */
export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  propertyNames?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  /** `minimum`: only that bound is technical. */
  "x-technical-limit"?: boolean | "minimum";
  [keyword: string]: unknown;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
  example?: unknown;
  /** The requirements that the parameter encodes. */
  "x-encodes"?: string[];
}

export interface Header {
  /** The operations that have it; default: all. */
  "x-operations"?: string[];
  required?: boolean;
  schema: Schema;
}

/** A value, or a reference to it. */
export type OrReference<Value> = Value | { $ref: string };
type Content = Record<string, { schema: Schema; examples?: Record<string, OrReference<Example>> }>;

export interface ResponseObject {
  headers?: Record<string, OrReference<Header>>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  parameters?: OrReference<Parameter>[];
  requestBody?: { content: Content };
  responses: Record<string, OrReference<ResponseObject>>;
}

/** The bundled document, as far as the suite reads it. */
export interface Document {
  tags?: { name: string; "x-error-types"?: string[] }[];
  paths: Record<string, { parameters?: OrReference<Parameter>[]; [method: string]: unknown }>;
  [key: string]: unknown;
}

/** An operation with all its parameters and the examples of its body. */
export interface TestedOperation {
  id: string;
  operation: Operation;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The examples of its request body, by name. */
  bodies: Record<string, unknown>;
}

/** The document that the suite compares servers with: `generated/openapi.json`. */
export const document = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("email-api-contract/openapi.json"), "utf8"),
) as Document;

/** The targets of references, because every response needs the same few. */
const resolved = new WeakMap<Document, WeakMap<object, object>>();

/** The value, or the target of a reference; siblings of `$ref` override the target. */
export function resolve<Value extends object>(within: Document, value: OrReference<Value>): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const known = resolved.get(within) ?? new WeakMap<object, object>();
  resolved.set(within, known);
  const target = known.get(value) ?? targetOf<Value>(within, value as { $ref: string });
  known.set(value, target);
  return target as Value;
}

function targetOf<Value extends object>(within: Document, { $ref, ...siblings }: { $ref: string }): Value {
  const pieces = $ref.slice("#/".length).split("/").map(unescaped);
  const target = pieces.reduce<unknown>((node, piece) => (node as Record<string, unknown>)?.[piece], within);
  if (target === undefined) throw new Error(`unresolved $ref: ${$ref}`);
  return { ...resolve(within, target as OrReference<Value>), ...siblings };
}

/** The name of the component that a schema references; undefined for an inline schema. */
export const nameOf = (schema: Schema): string | undefined => schema.$ref?.split("/").at(-1);

/** Every operation, in the order of the document. */
export function operationsOf(within: Document): TestedOperation[] {
  return Object.values(within.paths).flatMap(({ parameters: shared = [], ...methods }) =>
    Object.values(methods)
      .filter(
        (value): value is Operation => typeof value === "object" && value !== null && "operationId" in value,
      )
      .map((operation) => {
        const content = operation.requestBody?.content["application/json"];
        return {
          id: operation.operationId,
          operation,
          parameters: [...shared, ...(operation.parameters ?? [])].map((one) =>
            resolve<Parameter>(within, one),
          ),
          body: content?.schema,
          bodies: examplesOf(within, content?.examples),
        };
      }),
  );
}

/**
 * The name under which responses have a header component.
 * @throws Error if no response has it
 */
export function headerName(within: Document, component: string): string {
  const pointer = `#/components/headers/${component}`;
  for (const { operation } of operationsOf(within)) {
    for (const response of Object.values(operation.responses)) {
      const { headers = {} } = resolve<ResponseObject>(within, response);
      const found = Object.entries(headers).find(([, header]) => "$ref" in header && header.$ref === pointer);
      if (found !== undefined) return found[0];
    }
  }
  throw new Error(`no response has the header ${component}`);
}

/** Named examples as plain values. */
export const examplesOf = (
  within: Document,
  examples: Record<string, OrReference<Example>> = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(examples).map(([name, one]) => [name, resolve<Example>(within, one).value]),
  );

const unescaped = (piece: string): string =>
  decodeURIComponent(piece).replaceAll("~1", "/").replaceAll("~0", "~");
