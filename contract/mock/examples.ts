import { type OperationId, operations } from "../../generated/operations.ts";
import { document, examplesOf, operationsOf, type ResponseObject, resolve } from "../document.ts";
import type { RawRequest } from "../exchange.ts";

/** A named example of a response. */
export interface ResponseExample {
  operation: OperationId;
  /** The status in the document: `202`, `2XX`. */
  key: string;
  /** The status to request: 200 for `2XX`. */
  status: number;
  name: string;
  value: unknown;
  /** The documented headers of the response. */
  headers: string[];
}

/** All named examples of responses, in the order of the document. */
export const responseExamples: ResponseExample[] = operationsOf(document).flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([key, reference]) => {
    const { headers = {}, content = {} } = resolve<ResponseObject>(document, reference);
    return Object.entries(examplesOf(document, content["application/json"]?.examples)).map(
      ([name, value]) => ({
        operation: id as OperationId,
        key,
        status: Number(key.replace("XX", "00")),
        name,
        value,
        headers: Object.keys(headers),
      }),
    );
  }),
);

/** A valid request from the examples of the body and the path parameters. */
export function exampleRequest(operation: OperationId): RawRequest {
  const { method, path } = operations[operation];
  const placed = operationsOf(document).find(({ id }) => id === operation);
  const filled = (placed?.parameters ?? [])
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path as string,
    );
  return { operation, method, path: filled, body: Object.values(placed?.bodies ?? {})[0] };
}
