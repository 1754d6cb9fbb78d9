import { pathOf } from "../document/json-pointer.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { Check } from "./checks.ts";

const file = "test/contract/wire/body.ts";
const law = "every answer of success keeps to the schema and the headers that the document gives it";

/**
 * What the suite verifies by holding every answer of success against the document: the requirements of kind `shape` that are encoded
 * where such an answer leads to.
 */
export function answerChecks(document: OpenApiDocument): Check[] {
  const shapes = new Set(
    Object.values(document["x-requirements"])
      .flat()
      .filter(({ kind, excluded }) => kind === "shape" && excluded === undefined)
      .map(({ id }) => id),
  );
  const ids = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref, "x-encodes": encodes, ...rest } = node as { $ref?: string; "x-encodes"?: string[] };
    for (const id of encodes ?? []) if (shapes.has(id)) ids.add(id);
    if ($ref !== undefined) visit(at(document, $ref));
    for (const inner of Object.values(rest)) visit(inner);
  };
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as { responses?: Record<string, unknown> }[]) {
      for (const [status, answer] of Object.entries(operation.responses ?? {}))
        if (status.startsWith("2")) visit(answer);
    }
  }
  return [...ids].map((id) => ({ ids: [id], law, file }));
}

function at(document: OpenApiDocument, reference: string): unknown {
  return pathOf(reference).reduce<unknown>(
    (node, name) => (node as Record<string, unknown> | undefined)?.[name],
    document,
  );
}
