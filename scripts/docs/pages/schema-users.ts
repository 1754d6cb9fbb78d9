import { at, nameOf } from "../../document/json-pointer.ts";
import type { PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";

/** The names of the schemas that an operation refers to, directly or through others. */
export function schemasUsedBy(
  document: OpenApiDocument,
  { operation, parameters }: PlacedOperation,
): Set<string> {
  const pointers = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === "string" && !pointers.has($ref)) {
      pointers.add($ref);
      visit(at(document, $ref));
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit([operation, parameters]);
  return new Set([...pointers].filter((pointer) => pointer.includes("/schemas/")).map(nameOf));
}
