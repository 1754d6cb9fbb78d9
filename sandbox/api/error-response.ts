import type { ErrorId, ErrorRow } from "../../generated/errors.ts";
import type { OperationId, OperationRow, operations } from "../../generated/operations.ts";

/** What is wrong, in sentences for people, by the name of the field. */
export type FieldErrors = Record<string, string[]>;

/** The rows of the error table that an operation can return. */
export type ErrorOf<Id extends OperationId> = Extract<(typeof operations)[Id]["errors"][number], ErrorId>;

/** An error response, as one row of the error table. Not an `Error`: it is an expected result and needs no stack. */
export class ErrorResponse<Id extends ErrorId = ErrorId> {
  declare readonly id: Id;
  /** For people. */
  declare readonly message: string;
  declare readonly fields: FieldErrors | null;
  declare readonly headers: Readonly<Record<string, string>> | null;

  constructor(made: ErrorResponse<Id>) {
    Object.assign(this, made);
  }
}

export const errorResponse = <Id extends ErrorId>(
  id: Id,
  message: string,
  headers: Readonly<Record<string, string>> | null = null,
): ErrorResponse<Id> => new ErrorResponse({ id, message, fields: null, headers });

/** A 422 that names the invalid fields. */
export function invalidFields(found: Iterable<readonly [name: string, sentence: string]>) {
  const groups = Map.groupBy(found, ([name]) => name);
  const fields = Object.fromEntries(
    [...groups].map(([name, all]) => [name, [...new Set(all.map(([, sentence]) => sentence))]]),
  );
  const names = Object.keys(fields);
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const message = `The request is invalid: ${shown}${more}.`;
  return new ErrorResponse({ id: "422.invalid_request", message, fields, headers: null });
}

/** A 422 that names one invalid field. */
export const invalidField = (name: string, sentence: string): ErrorResponse<"422.invalid_request"> =>
  invalidFields([[name, sentence]]);

export const canReturn = ({ errors }: OperationRow, id: ErrorId): boolean => errors.includes(id);

/** The `error.type` of the response that a row of the error table describes, which may have none. */
export const errorTypeOf = ({ type }: Pick<ErrorRow, "type">): string => type ?? "unspecified";
