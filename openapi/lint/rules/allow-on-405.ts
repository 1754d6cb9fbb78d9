import { headerOf, responses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "A 405 response has the Allow header; no other response has it.",
  *check(response, document) {
    const header = headerOf(document, response, "Allow");
    if (response.status === "405" && header?.value.required !== true)
      yield `Add the header Allow with required: true to ${response.name}.`;
    if (response.status !== "405" && header !== undefined)
      yield {
        path: [...response.path, "headers"],
        message: `Remove the header Allow from ${response.name}: only a 405 has it.`,
      };
  },
});
