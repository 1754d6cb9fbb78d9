import { errorExamples } from "../../../scripts/document/error-examples.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { headerOf } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "The request id of an error example is the one that its header shows.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { response: answer, name, path, example } of errorExamples(document)) {
      const shown = headerOf(document, answer, "X-Service-Request-Id")?.value.example;
      const written = valueAt(example, ["value", "error", "request_id"]);
      if (shown !== undefined && written !== shown)
        yield {
          path,
          message: `Write ${JSON.stringify(shown)} as error.request_id of the example ${name}: the header X-Service-Request-Id shows it.`,
        };
    }
  },
};
