import { type OperationErrors, operationErrors } from "../../generated/client/errors.ts";
import type { ErrorFields } from "../../generated/client/models.ts";
import { ApiError } from "./errors.ts";
import { check } from "./validate.ts";

/** An error that the contract lists for an operation, with its type and status. */
export type ErrorOf<Operation extends keyof OperationErrors> = Omit<ApiError, "status" | "type"> &
  OperationErrors[Operation];

/**
 * Whether the contract lists an error for an operation. Narrows `status` to those of the operation, and `type` by the status; a
 * 5xx may have any type. Returns false for errors that were added later: handle those by their status (GEN-12).
 *
 * @throws TypeError for an unknown operation
 */
export function isErrorOf<Operation extends keyof OperationErrors>(
  error: unknown,
  operation: Operation,
): error is ErrorOf<Operation> {
  const errors = operationErrors[operation];
  check(errors, "operation must be an operation id such as sendEmail", operation);
  if (!(error instanceof ApiError)) return false;
  const known: readonly string[] = errors.split(" ");
  return known.includes(`${error.status}.${error.type}`) || known.includes(`${error.status}`);
}

/** The field errors of each invalid message of a batch, by its index (BATCH-8). */
export function fieldsByMessage({ fields }: { fields: ErrorFields | null }): Map<number, ErrorFields> {
  const messages = new Map<number, ErrorFields>();
  for (const [name, reasons] of Object.entries(fields ?? {})) {
    const [, index, field = ""] = /^emails\.(\d+)\.?(.*)$/.exec(name) ?? [];
    if (index) messages.set(+index, { ...messages.get(+index), [field]: reasons });
  }
  return messages;
}
