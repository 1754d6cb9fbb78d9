import { headerOf, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "A 405, and no other answer, lists the methods that the address takes.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of responses(document)) {
      const header = headerOf(document, answer, "Allow");
      if (answer.status === "405" && header?.value.required !== true)
        yield { path: answer.path, message: `Add the header Allow with required: true to ${answer.name}.` };
      if (answer.status !== "405" && header !== undefined)
        yield {
          path: [...answer.path, "headers"],
          message: `Remove the header Allow from ${answer.name}: it belongs to 405.`,
        };
    }
  },
};
