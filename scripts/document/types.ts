import type { Marks, Tables } from "../../generated/schema-types.ts";

/**
 * The parts of an OpenAPI 3.1 document that this project reads, and the tables of this contract (`x-...`).
 * Everything after the bundle takes its facts from a value of this type.
 */
export interface OpenApiDocument extends Tables {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary?: string;
    description?: string;
    contact?: { name?: string; url?: string; email?: string };
    license?: { name: string };
  };
  servers: {
    url: string;
    description?: string;
    variables?: Record<string, { default: string; description?: string }>;
  }[];
  /** Groups of operations, with what they have in common. */
  tags: {
    name: string;
    description?: string;
    /** The product that the account must have. */
    "x-product"?: string;
    "x-requires-verified-domain"?: boolean;
    "x-error-types"?: string[];
  }[];
  paths: Record<string, PathItem>;
  components: {
    schemas?: Record<string, Schema>;
    responses?: Record<string, Reference<ResponseObject>>;
    parameters?: Record<string, Reference<Parameter>>;
    headers?: Record<string, Reference<Header>>;
    examples?: Record<string, Reference<Example>>;
    securitySchemes?: Record<string, Record<string, unknown>>;
  };
  /** The gateway responses, by status. */
  "x-gateway-responses"?: Record<string, Reference<ResponseObject>>;
  [extension: `x-${string}`]: unknown;
}

export type Method = "get" | "put" | "post" | "patch" | "delete" | "head" | "options" | "trace";
export type PathItem = { parameters?: Reference<Parameter>[] } & Partial<Record<Method, Operation>>;

/** A value, or a `$ref` to it. */
export type Reference<Value> = Value | { $ref: string };

/** A JSON Schema (2020-12), open to every keyword. */
export interface Schema extends Marks {
  $ref?: string;
  type?: string | string[];
  /** The name that people read. */
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  /** `minimum`: only that bound is technical. */
  "x-technical-limit"?: boolean | "minimum";
  "x-extensible-enum"?: string[];
  /** The prefix of every id of this kind. */
  "x-prefix"?: string;
  /** The property that a response has if the request has it: the condition (`if`) of the schema. */
  "x-variant-by-request"?: string;
  /** The UTC offset of a `date-time`: `zero` is UTC; `any` must be given. */
  "x-utc-offset"?: "zero" | "any";
  [keyword: string]: unknown;
}

export interface Example {
  summary?: string;
  description?: string;
  value: unknown;
}

export interface MediaType {
  schema: Schema;
  examples: Record<string, Reference<Example>>;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
  /** The only operations whose responses have it. */
  "x-operations"?: string[];
}

export interface Parameter extends Marks {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description: string;
  style?: string;
  explode?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference<Header>>;
  content?: Record<string, MediaType>;
  links?: Record<string, { operationId: string; description: string }>;
  "x-empty-body"?: boolean;
}

export interface Operation extends Marks {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  deprecated?: boolean;
  parameters?: Reference<Parameter>[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Reference<ResponseObject>>;
  security: Record<string, string[]>[];
}
