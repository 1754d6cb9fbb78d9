import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, ResponseObject } from "../../document/types.ts";

/** The names under which answers carry a header of the document, each once. */
export function headerNames(document: OpenApiDocument, header: Header): string[] {
  const answers = [
    ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses)),
    ...Object.values(document["x-gateway-responses"] ?? {}),
  ];
  const names = answers
    .flatMap((answer) => Object.entries(dereference<ResponseObject>(document, answer).headers ?? {}))
    .filter(([, reference]) => dereference<Header>(document, reference) === header)
    .map(([name]) => name);
  return [...new Set(names)];
}
