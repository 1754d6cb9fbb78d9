import { valueAtPointer } from "../document/json-pointer.ts";
import { operationsOf } from "../document/operations.ts";
import { isSuccess } from "../document/responses.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { nodeOf, textsOf } from "../document/values.ts";
import type { Check } from "./checks.ts";

const file = "contract/response-checks/body.ts";
const title = "every successful response has the schema and the headers of the document";

/**
 * What the suite verifies by validating every successful response: the requirements of kind `shape` that a response, or
 * anything it refers to, encodes.
 */
export function responseChecks(document: OpenApiDocument): Check[] {
  const rows = Object.values(document["x-requirements"]).flat();
  const shapes = new Set(
    rows.filter(({ kind, excluded }) => kind === "shape" && excluded === undefined).map(({ id }) => id),
  );
  const ids = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref, "x-encodes": encodes, ...rest } = nodeOf({ ...node });
    for (const id of textsOf(encodes)) if (shapes.has(id)) ids.add(id);
    if (typeof $ref === "string") visit(valueAtPointer(document, $ref));
    for (const inner of Object.values(rest)) visit(inner);
  };
  for (const { operation } of operationsOf(document))
    for (const [status, response] of Object.entries(nodeOf(operation.responses)))
      if (isSuccess(status)) visit(response);
  return [...ids].map((id) => ({ ids: [id], title, file }));
}
