import type { OperationId } from "../../../generated/operations.ts";
import { document, examplesOf } from "../../document.ts";
import { documentedSuccesses } from "../../response-checks/documented.ts";

/** The successful responses of an operation in the document, with the name of each example. */
export const successExamples = (operation: OperationId): [name: string, body: unknown][] =>
  documentedSuccesses(operation).flatMap(({ content }) =>
    Object.entries(examplesOf(document, content?.["application/json"]?.examples)),
  );

/** A successful response of an operation that returns an object. */
export function responseExample(operation: OperationId): Record<string, unknown> {
  const [first] = successExamples(operation);
  if (first === undefined) throw new Error(`${operation} has no example of a response`);
  return first[1] as Record<string, unknown>;
}
