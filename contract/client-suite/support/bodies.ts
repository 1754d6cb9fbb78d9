import type { OperationId } from "../../../generated/operations.ts";
import { document, operationsOf } from "../../document.ts";

const tested = new Map(operationsOf(document).map((one) => [one.id, one]));

/** The example bodies of an operation in the document, by name. */
export const bodiesOf = (operation: OperationId): Record<string, unknown> =>
  tested.get(operation)?.bodies ?? {};

/** An example body of an operation. @throws Error if the document has no such example */
export function bodyOf(operation: OperationId, name: string): Record<string, unknown> {
  const body = bodiesOf(operation)[name];
  if (body === undefined) throw new Error(`${operation} has no example ${name}`);
  return body as Record<string, unknown>;
}
