import { type OperationErrors, operationErrors } from "../../generated/client/errors.ts";
import type { ErrorFields } from "../../generated/client/models.ts";
import { ApiError } from "./errors.ts";

/** An error of an operation, as far as the contract names it: by its type and status. */
export type ErrorOf<Operation extends keyof OperationErrors> = ApiError & OperationErrors[Operation];

/**
 * Whether an error is one that the contract names for an operation. Narrows `status` and `type` to what it can answer, so that
 * a `switch` over them is complete. False for what is new since: handle that by its status (GEN-12).
 */
export function isErrorOf<Operation extends keyof OperationErrors>(
  error: unknown,
  operation: Operation,
): error is ErrorOf<Operation> {
  if (!(error instanceof ApiError)) return false;
  const known: readonly string[] = operationErrors[operation].split(" ");
  return known.includes(`${error.status}.${error.type}`) || known.includes(`${error.status}`);
}

/** What is wrong with each message of a batch, by the position of the message, counted from 0 (BATCH-8). Messages that are fine are not in it. */
export function fieldsByMessage({ fields }: { fields: ErrorFields | null }): Map<number, ErrorFields> {
  const messages = new Map<number, ErrorFields>();
  for (const [name, faults] of Object.entries(fields ?? {})) {
    const [, index, field = ""] = /^emails\.(\d+)\.?(.*)$/.exec(name) ?? [];
    if (index) messages.set(+index, { ...messages.get(+index), [field]: faults });
  }
  return messages;
}
