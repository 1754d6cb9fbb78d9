// The types of generated/validators/responses.js: `generate` copies this file to responses.d.ts beside it.
import type { components, operations } from "../../../generated/types.ts";
import type { Texts, ValidationError, Validator } from "./requests.types.ts";

/**
 * Validates the headers of a response, with names in lower case. Headers that the document does not name are ignored.
 * `errors` has the violations until the next call.
 */
export interface HeadersValidator {
  (headers: Texts): boolean;
  errors: ValidationError[] | null;
}

/**
 * The validators of a response with one status code. Technical limits (`x-technical-limit`) and properties that the
 * document does not name are ignored.
 */
export interface ResponseValidator<Body> {
  body: Body;
  headers: HeadersValidator;
  /** Whether the body may be empty. */
  mayBeEmpty: boolean;
}

type BodyValidator<Response> = Response extends { content: { "application/json": infer Value } }
  ? Validator<Value>
  : null;

/** The responses of each operation by status; `2XX` is any success status. */
export declare const responses: {
  [Id in keyof operations]: {
    [Status in keyof operations[Id]["responses"] as `${Status & (string | number)}`]: ResponseValidator<
      BodyValidator<operations[Id]["responses"][Status]>
    >;
  };
};

/** The statuses of gateway responses. */
type GatewayStatus = string;

/** The gateway responses, for an unknown path or an unsupported method. */
export declare const gatewayResponses: {
  [Status in GatewayStatus]: ResponseValidator<Validator<components["schemas"]["ErrorResponse"]>>;
};

/** The named schemas in responses. */
type SchemaName = keyof components["schemas"];

/** The validators of the named schemas in responses, for a part by itself such as one event. */
export declare const schemas: { [Name in SchemaName]: Validator<components["schemas"][Name]> };
