import { type OperationId, operations } from "../../../generated/operations.ts";
import { document, examplesOf, operationsOf, type ResponseObject, resolve } from "../document.ts";
import type { RawRequest } from "../exchange.ts";

/** One named example of one answer of one operation. */
export interface AnswerExample {
  operation: OperationId;
  /** The status as the document has it: `202`, `2XX`. */
  key: string;
  /** The status to ask for: 200 stands for `2XX`. */
  status: number;
  example: string;
  value: unknown;
  /** The names of the headers that the document gives the answer. */
  headers: string[];
}

/** Every named example of every answer, in the order of the document. */
export const everyAnswer: AnswerExample[] = operationsOf(document).flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([key, reference]) => {
    const { headers = {}, content = {} } = resolve<ResponseObject>(document, reference);
    return Object.entries(examplesOf(document, content["application/json"]?.examples)).map(
      ([example, value]) => ({
        operation: id as OperationId,
        key,
        status: Number(key.replace("XX", "00")),
        example,
        value,
        headers: Object.keys(headers),
      }),
    );
  }),
);

/** A request that keeps to the document: the first example of the body, the examples of the parameters in the path. */
export function exampleCall(operation: OperationId): RawRequest {
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
