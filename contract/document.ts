import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { requests, schemas, type ValidationError as Violation } from "../generated/validators/requests.js";
import { mapValues, oncePer } from "../lib/objects.ts";
import { operationsOf as placedOperationsOf } from "../scripts/document/operations.ts";
import { resolveSchema } from "../scripts/document/references.ts";
import type { Example, OpenApiDocument, Reference, Schema } from "../scripts/document/types.ts";

export type {
  Header,
  OpenApiDocument,
  Parameter,
  Reference,
  ResponseObject,
  Schema,
} from "../scripts/document/types.ts";

/** An operation with all its parameters and the examples of its request body. */
export type TestedOperation = ReturnType<typeof operationsOf>[number];

/** The document that the suite compares servers with: `generated/openapi.json`. */
export const document = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("email-api-contract/openapi.json"), "utf8"),
) as OpenApiDocument;

/** The targets of references, because every response needs the same few. */
const resolved = oncePer((within: OpenApiDocument) =>
  oncePer((reference: object) => resolveSchema(within, reference)),
);

/** The value, or the target of a reference; siblings of `$ref` override the target. */
export const resolve = <Value extends object>(within: OpenApiDocument, value: Reference<Value>): Value =>
  "$ref" in value ? (resolved(within)(value) as object as Value) : value;

/** The name of the component that a schema references; undefined for an inline schema. */
export const nameOf = (schema: Schema): string | undefined => schema.$ref?.split("/").at(-1);

/** Every operation, in the order of the document. */
export const operationsOf = (within: OpenApiDocument) =>
  placedOperationsOf(within).map(({ id, operation, parameters }) => {
    const content = operation.requestBody?.content["application/json"];
    return {
      id,
      operation,
      parameters,
      body: content?.schema,
      bodies: examplesOf(within, content?.examples),
    };
  });

/** Named examples as plain values. */
export const examplesOf = (within: OpenApiDocument, examples: Record<string, Reference<Example>> = {}) =>
  mapValues(examples, (one) => resolve<Example>(within, one).value);

type Validators = Record<string, (data: unknown) => boolean>;
type Bodies = Record<string, { body: ((data: unknown) => boolean) | null }>;

/** The generated validators of components and request bodies. */
export const documentValidators = {
  isValid: (component: string, value: unknown): boolean =>
    (schemas as unknown as Validators)[component]?.(value) ?? false,
  accepts: (operation: string, body: unknown): boolean =>
    (requests as unknown as Bodies)[operation]?.body?.(body) ?? false,
};
export type DocumentValidators = typeof documentValidators;

export type ValidationError = Pick<Violation, "instancePath" | "params"> & Partial<Violation>;
export type Validate = ((data: unknown) => boolean) & { errors: ValidationError[] | null };

/** The JSON Pointer of an error: to the missing property, not to the object without it. */
export const pointerOf = ({ instancePath, params }: ValidationError): string =>
  "missingProperty" in params ? `${instancePath}/${String(params.missingProperty)}` : instancePath;
