import { errorExamples, rowsFor } from "../../../scripts/document/errors.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(errorExamples, {
  description: "Every error example of an operation has a row in the error table.",
  *check({ response, name, type }, document) {
    const rows = rowsFor(document, response.operation?.id, response.status);
    if (rows.some((row) => row.type === null || row.type === type)) return;
    const owner = response.operation?.id ?? "the gateway";
    yield {
      path: response.listed,
      message: `Remove the example ${name} (${response.status} ${type}) from ${owner}, or add ${owner} to its row of x-errors.`,
    };
  },
});
