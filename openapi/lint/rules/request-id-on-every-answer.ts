import { headerOf, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every answer names the call it belongs to.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of responses(document)) {
      const header = headerOf(document, answer, "X-Service-Request-Id");
      if (header === undefined)
        yield { path: answer.path, message: `Add the header X-Service-Request-Id to ${answer.name}.` };
      else if (header.value.required !== true)
        yield {
          path: header.path,
          message: `Set required: true on the header X-Service-Request-Id of ${answer.name}: every answer has it.`,
        };
    }
  },
};
