// The types of generated/validators/requests.js: `generate` copies this file to requests.d.ts beside it.
import type { components, operations } from "../../../generated/types.ts";

/** One violation of a schema, as ajv reports it. */
export interface ValidationError {
  /** Where: a JSON Pointer into the data, empty for the data as a whole. */
  instancePath: string;
  /** The keyword that the data violates, such as `maxLength`. */
  keyword: string;
  /** What the keyword requires, such as `{ limit: 3 }` or `{ missingProperty: "to" }`. */
  params: Record<string, unknown>;
  /** Where the keyword stands: the name of the schema and a JSON Pointer into it. */
  schemaPath: string;
  /** The property name that is invalid, for a rule on property names. */
  propertyName?: string;
  /** The rule in English, such as "must NOT have more than 3 items". */
  message?: string;
}

/**
 * Returns whether the data is valid. `errors` has all violations until the next call; null if there are none.
 * Several operations may share one validator.
 */
export interface Validator<Value> {
  (data: unknown): data is Value;
  errors: ValidationError[] | null;
}

/** Values that travel as text, by name; one that is repeated is a list. */
export type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parameters of a request as text: path parameters percent-decoded, names of headers in lower case. */
export interface ParameterTexts {
  path?: Texts;
  /** Or a `URLSearchParams`, so far as it is read: users of the types need not have those of a platform. */
  query?: Texts | { keys(): Iterable<string>; getAll(name: string): string[] };
  header?: Texts;
}

type Group<Values> = [NonNullable<Values>] extends [never] ? Record<never, never> : NonNullable<Values>;
type Parameters<Id extends keyof operations, Kind extends keyof ParameterTexts> = Group<
  operations[Id]["parameters"][Kind]
>;

/** The parameters of an operation as the types of their schemas; each group is there, also if it is empty. */
export interface ParameterValues<Id extends keyof operations> {
  path: Parameters<Id, "path">;
  query: Parameters<Id, "query">;
  header: {
    [Name in keyof Parameters<Id, "header"> as Lowercase<Name & string>]: Parameters<Id, "header">[Name];
  };
}

/**
 * Validates the parameters of a request: text is read as the type of its schema first (integer, number, boolean, array).
 * Parameters that the document does not name are ignored. The paths of errors begin with the group: `/query/limit`.
 */
export interface ParametersValidator<Id extends keyof operations> {
  (parameters: ParameterTexts): boolean;
  /** The violations of the last call; null if there were none. */
  errors: ValidationError[] | null;
  /** The values as their types, and all violations: null if there are none, and only then are the values of these types. */
  parse(parameters: ParameterTexts): { values: ParameterValues<Id>; errors: ValidationError[] | null };
}

type BodyValidator<Request> = [Request] extends [never]
  ? null
  : Request extends { content: { "application/json": infer Value } }
    ? Validator<Value>
    : null;

/** The validators of each operation: of the body (null if it takes none) and of the parameters. */
export declare const requests: {
  [Id in keyof operations]: {
    body: BodyValidator<NonNullable<operations[Id]["requestBody"]>>;
    parameters: ParametersValidator<Id>;
  };
};

/** The named schemas in requests. */
type SchemaName = keyof components["schemas"];

/** The validators of the named schemas in requests, for a part by itself such as one message of a batch. */
export declare const schemas: { [Name in SchemaName]: Validator<components["schemas"][Name]> };
