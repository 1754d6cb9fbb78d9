import { nameOf, valueAtPointer } from "../document/json-pointer.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";

/** Whether an operation reaches a schema, directly or through others. */
export type Uses = (operationId: string, schemaName: string) => boolean;

/** Which operations reach which schemas of the document. */
export function usesOf(document: OpenApiDocument): Uses {
  const reached = new Map(
    operationsOf(document).map(({ id, operation, parameters }) => [
      id,
      schemasBelow(document, [operation, parameters]),
    ]),
  );
  return (operationId, schemaName) => reached.get(operationId)?.has(schemaName) === true;
}

function schemasBelow(document: OpenApiDocument, start: unknown): Set<string> {
  const pointers = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === "string" && !pointers.has($ref)) {
      pointers.add($ref);
      visit(valueAtPointer(document, $ref));
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(start);
  return new Set([...pointers].filter((pointer) => pointer.includes("/schemas/")).map(nameOf));
}
