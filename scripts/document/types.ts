/**
 * The parts of an OpenAPI 3.1 document that this project reads, and the tables of this contract (`x-...`).
 * Everything after the bundle takes its facts from a value of this type.
 */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary?: string;
    description?: string;
    contact?: { name: string; url: string };
    license?: { name: string };
  };
  servers: {
    url: string;
    description?: string;
    variables?: Record<string, { default: string; description?: string }>;
  }[];
  tags: Tag[];
  paths: Record<string, PathItem>;
  components: Components;
  /** The time at which all examples are valid together. */
  "x-example-time": string;
  "x-errors": ErrorRow[];
  "x-limits": Record<string, LimitRow>;
  "x-lifecycles": Record<string, Lifecycle>;
  "x-abilities": Record<string, { description: string }>;
  "x-simulator": { description: string; domain: string; recipients: SimulatorRecipient[] };
  "x-requirements": Record<string, RequirementRow[]>;
  "x-unspecified": UnspecifiedRow[];
  /** The gateway responses, by status. */
  "x-gateway-responses"?: Record<string, Reference<ResponseObject>>;
  "x-versioning": Versioning;
  [extension: `x-${string}`]: unknown;
}

/** The ids of requirements that a part of the document encodes, and of what it leaves unspecified. */
export interface Marks {
  "x-encodes"?: string[];
  "x-leaves-unspecified"?: string[];
}

/** A group of operations, with what they have in common. */
interface Tag {
  name: string;
  description?: string;
  /** The product that the account must have. */
  "x-product"?: string;
  /** Whether the account must have a verified sending domain. */
  "x-requires-verified-domain"?: boolean;
  "x-error-types"?: string[];
}

/** The components, by kind and name. */
interface Components {
  schemas?: Record<string, Schema>;
  responses?: Record<string, Reference<ResponseObject>>;
  parameters?: Record<string, Reference<Parameter>>;
  headers?: Record<string, Reference<Header>>;
  examples?: Record<string, Reference<Example>>;
  securitySchemes?: Record<string, Record<string, unknown>>;
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
  links?: Record<string, unknown>;
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

/** One row of the error table: an HTTP status and an `error.type` (null if unspecified). */
export interface ErrorRow extends Marks {
  id: string;
  status: number;
  type: string | null;
  when: string;
  /** operationIds; empty for gateway responses. */
  operations: string[];
  /** Whether `error.fields` is required; default: false. */
  namesFields?: boolean;
  retry: "never" | "after" | "backoff";
  resolution: string;
}

/**
 * A limit: its value, with the schema that it applies to if there is one, or the schema keyword that has the value; and the id of the error
 * beyond it, if it is specified.
 */
export type LimitRow = { description: string; unit: string; error?: string } & Marks &
  ({ value: number; schema?: string } | { schema: string; keyword: string });

export interface Transition extends Marks {
  /** The states before; null if the transition creates the record. */
  from: string[] | null;
  on: string;
  when?: string;
  /** The state after; null if the state does not change or is unspecified. */
  to: string | null;
  effect?: string;
  /** `error.type` if the transition is rejected. */
  error?: string;
}

/** The states in which a property of a record is set, and in which it is null. */
export interface PropertyStates extends Marks {
  property: string;
  set?: string[];
  unset?: string[] | "all";
  /** Values of properties, or pointers to schemas that they are valid under, in which the row says nothing. */
  unless?: Record<string, unknown>;
}

/** Records with a state. */
export interface LifecycleRecord {
  /** The pointer to their schema. */
  schema: string;
  /** The property with the state. */
  state: string;
  properties: PropertyStates[];
}

export interface Lifecycle extends Marks {
  description: string;
  schema: string;
  /** States whose transitions are unspecified. */
  unspecified?: string[];
  records?: LifecycleRecord[];
  transitions: Transition[];
}

interface SimulatorRecipient extends Marks {
  localPart: string;
  description: string;
  states: string[];
}

export interface RequirementRow {
  id: string;
  text: string;
  source: string;
  kind: "shape" | "semantics" | "timing" | "client" | "unobservable";
  operations: string[];
  excluded?: string;
}

/** What may change within a version of the API, and what must not. */
interface Versioning extends Marks {
  version: string;
  /** The prefix of every path. */
  prefix: string;
  added: string[];
  never: string[];
  breaking: string;
  deprecation: string;
  changelog: string;
  history: string[];
}

export interface UnspecifiedRow {
  id: string;
  text: string;
  source: string;
  operations: string[];
  /** JSON pointers into the bundle, `*` for any segment, that must not exist. */
  absent?: string[];
}
