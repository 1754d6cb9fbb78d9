import { resolved } from "../../document/pointer.ts";
import { operationsOf } from "../../document/read-operations.ts";
import type { Answer, Header, OpenApiDocument } from "../../document/types.ts";

/** The names under which answers carry a header of the document, each once. */
export function headerNames(document: OpenApiDocument, header: Header): string[] {
  const answers = [
    ...operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses)),
    ...Object.values(document["x-gateway-responses"] ?? {}),
  ];
  const names = answers
    .flatMap((answer) => Object.entries(resolved<Answer>(document, answer).headers ?? {}))
    .filter(([, reference]) => resolved<Header>(document, reference) === header)
    .map(([name]) => name);
  return [...new Set(names)];
}
