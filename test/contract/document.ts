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
  "x-technical-limit"?: boolean;
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
  /** The only operations that have it, where it names them. */
  "x-operations"?: string[];
  required?: boolean;
  schema: Schema;
}

/** A value in its place, or a pointer to it. */
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

/** An operation, the parameters that hold for it, and the named examples of its body. */
export interface TestedOperation {
  id: string;
  operation: Operation;
  parameters: Parameter[];
  body: Schema | undefined;
  /** The named examples of its request body, by name; none where it takes no body. */
  bodies: Record<string, unknown>;
}

/** The document that the suite holds servers against: `generated/openapi.json`. */
export const document = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("email-api-contract/openapi.json"), "utf8"),
) as Document;

/** What pointers lead to: every answer is held against the same few places. */
const resolved = new WeakMap<Document, WeakMap<object, object>>();

/** The value itself where it may be a pointer into the document; what stands beside the pointer comes on top. */
export function resolve<Value extends object>(within: Document, value: OrReference<Value>): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const known = resolved.get(within) ?? new WeakMap<object, object>();
  resolved.set(within, known);
  const found = known.get(value) ?? follow<Value>(within, value as { $ref: string });
  known.set(value, found);
  return found as Value;
}

function follow<Value extends object>(within: Document, { $ref, ...beside }: { $ref: string }): Value {
  const pieces = $ref.slice("#/".length).split("/").map(unescaped);
  const target = pieces.reduce<unknown>((node, piece) => (node as Record<string, unknown>)?.[piece], within);
  if (target === undefined) throw new Error(`${$ref} leads nowhere`);
  return { ...resolve(within, target as OrReference<Value>), ...beside };
}

/** The name of the component that a schema points to; undefined where it stands in its place. */
export const nameOf = (schema: Schema): string | undefined => schema.$ref?.split("/").at(-1);

/** Every operation of the document, in its order. */
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
 * The name that answers give the header which is a certain component.
 * @throws Error when no answer has it
 */
export function headerName(within: Document, component: string): string {
  const pointer = `#/components/headers/${component}`;
  for (const { operation } of operationsOf(within)) {
    for (const answer of Object.values(operation.responses)) {
      const { headers = {} } = resolve<ResponseObject>(within, answer);
      const found = Object.entries(headers).find(([, header]) => "$ref" in header && header.$ref === pointer);
      if (found !== undefined) return found[0];
    }
  }
  throw new Error(`no answer has the header ${component}`);
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
