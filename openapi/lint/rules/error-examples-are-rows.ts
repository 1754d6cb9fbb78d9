import { errorExamples } from "../../../scripts/document/error-examples.ts";
import { rowsFor } from "../../../scripts/document/error-rows.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "No operation shows an error that the error table does not have for it.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { response: answer, name, type } of errorExamples(document)) {
      const rows = rowsFor(document, answer.operation?.id, answer.status);
      if (rows.some((row) => row.type === null || row.type === type)) continue;
      const owner = answer.operation?.id ?? "the shared front";
      yield {
        path: answer.listed,
        message: `Remove the example ${name} (${answer.status} ${type}) from ${owner}, or add ${owner} to its row of x-errors.`,
      };
    }
  },
};
