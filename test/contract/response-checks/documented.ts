import type { OperationId } from "../../../generated/operations.ts";
import {
  document,
  type Header,
  operationsOf,
  type ResponseObject,
  resolve,
  type Schema,
} from "../document.ts";

/** An answer as the document describes it. */
export interface DocumentedResponse {
  /** The status as the document has it: `202`, `2XX`. */
  key: string;
  response: ResponseObject & { "x-empty-body"?: boolean };
  /** The headers by their names. */
  headers: [name: string, header: Header][];
  schema: Schema | undefined;
  /** The operation, which carries what its answers promise together. */
  operation: object;
}

const all = new Map(operationsOf(document).map(({ id, operation }) => [id, operation]));

/** What the document says about an answer of an operation with some status; undefined where it says nothing. */
export function documented(operation: OperationId, status: number): DocumentedResponse | undefined {
  const found = all.get(operation);
  if (found === undefined) return undefined;
  const key = [String(status), `${String(status)[0]}XX`].find((one) => one in found.responses);
  const reference = found.responses[key ?? ""];
  if (key === undefined || reference === undefined) return undefined;
  const answer = resolve<ResponseObject>(document, reference);
  const headers = Object.entries(answer.headers ?? {}).map(([name, header]): [string, Header] => [
    name,
    resolve<Header>(document, header),
  ]);
  return {
    key,
    response: answer,
    headers,
    schema: answer.content?.["application/json"]?.schema,
    operation: found,
  };
}

/** The answers of success that the document gives an operation. */
export const documentedSuccesses = (operation: OperationId): ResponseObject[] =>
  Object.entries(all.get(operation)?.responses ?? {})
    .filter(([key]) => key.startsWith("2"))
    .map(([, answer]) => resolve<ResponseObject>(document, answer));

/** The headers that only some operations have, with those operations, by name. */
export const reservedHeaders: ReadonlyMap<string, { operations: string[]; header: Header }> = new Map(
  [...all.values()]
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((answer) => Object.entries(resolve<ResponseObject>(document, answer).headers ?? {}))
    .map(([name, header]) => [name, resolve<Header>(document, header)] as const)
    .flatMap(([name, header]) => {
      const operations = header["x-operations"];
      return operations === undefined ? [] : [[name, { operations, header }] as const];
    }),
);
