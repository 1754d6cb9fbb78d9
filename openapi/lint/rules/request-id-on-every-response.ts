import { headerOf, responses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "Every response has the required header X-Service-Request-Id.",
  *check(response, document) {
    const header = headerOf(document, response, "X-Service-Request-Id");
    if (header === undefined) yield `Add the header X-Service-Request-Id to ${response.name}.`;
    else if (header.value.required !== true)
      yield {
        path: header.path,
        message: `Set required: true on the header X-Service-Request-Id of ${response.name}: every response has it.`,
      };
  },
});
