import { headerOf, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every response has the required header X-Service-Request-Id.",
  *check(document) {
    for (const response of responses(document)) {
      const header = headerOf(document, response, "X-Service-Request-Id");
      if (header === undefined)
        yield { path: response.path, message: `Add the header X-Service-Request-Id to ${response.name}.` };
      else if (header.value.required !== true)
        yield {
          path: header.path,
          message: `Set required: true on the header X-Service-Request-Id of ${response.name}: every response has it.`,
        };
    }
  },
};
