import { displayPath } from "../../../lib/text-file.ts";
import { UserError } from "../../../lib/user-error.ts";
import { operationsOf } from "../../document/operations.ts";
import type { OpenApiDocument, Operation } from "../../document/types.ts";

/** What the page of an operation shows at least. */
const required = ["operationId", "summary", "description", "tags", "responses"] as const;

/**
 * Gives each operation that an overlay added the security of the document, unless it states its own.
 *
 * @throws UserError for one that its page cannot show
 */
export function completeOperations(document: OpenApiDocument, overlay: string): void {
  const { security = [] } = document as { security?: Operation["security"] };
  for (const { operation, method, path } of operationsOf(document)) {
    operation.security ??= security;
    const missing = required.filter((key) => operation[key] === undefined);
    if (missing.length > 0)
      throw new UserError(
        `the overlay ${displayPath(overlay)} is invalid: ${method.toUpperCase()} ${path} has no ${missing.join(", ")}`,
        { hint: "Add them to the operation, or to the target of the overlay.", exitCode: 2 },
      );
  }
}
