import type { ErrorId } from "../../generated/errors.ts";
import { type OperationId, operations } from "../../generated/operations.ts";

/** What is wrong, by the name of the field: sentences for people. */
export type FieldErrors = Record<string, string[]>;

/** The rows of the error table that an operation may answer with. */
export type ErrorOf<Id extends OperationId> = Extract<(typeof operations)[Id]["errors"][number], ErrorId>;

/** A call that is not done, as one row of the error table. Not an `Error`: it is an ordinary answer, and costs no stack. */
export class ErrorResponse<Id extends ErrorId = ErrorId> {
  readonly id: Id;
  /** For people. */
  readonly message: string;
  readonly fields: FieldErrors | null;
  readonly headers: Readonly<Record<string, string>> | null;

  constructor(
    id: Id,
    message: string,
    fields: FieldErrors | null,
    headers: Readonly<Record<string, string>> | null,
  ) {
    this.id = id;
    this.message = message;
    this.fields = fields;
    this.headers = headers;
  }
}

/** Refuses a call with a row of the error table. */
export function errorResponse<Id extends ErrorId>(
  id: Id,
  message: string,
  headers: Readonly<Record<string, string>> | null = null,
): ErrorResponse<Id> {
  return new ErrorResponse(id, message, null, headers);
}

/** Refuses a call because of named fields. */
export function invalidFields(fields: FieldErrors): ErrorResponse<"422.invalid_request"> {
  const names = Object.keys(fields);
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return new ErrorResponse(
    "422.invalid_request",
    `The request has faults in: ${shown}${more}.`,
    fields,
    null,
  );
}

/** Refuses a call because of one field. */
export function invalidField(name: string, sentence: string): ErrorResponse<"422.invalid_request"> {
  return invalidFields(fieldErrors([[name, sentence]]));
}

/** Gathers sentences by field. Names come from requests, so that the object has no prototype for them to meet. */
export function fieldErrors(found: Iterable<readonly [name: string, sentence: string]>): FieldErrors {
  const fields: FieldErrors = Object.create(null);
  for (const [name, sentence] of found) {
    const sentences = fields[name];
    if (sentences === undefined) fields[name] = [sentence];
    else if (!sentences.includes(sentence)) sentences.push(sentence);
  }
  return fields;
}

/** Whether an operation may answer with a row of the error table. */
export function canReturn(operation: OperationId, id: ErrorId): boolean {
  return (operations[operation].errors as readonly string[]).includes(id);
}
