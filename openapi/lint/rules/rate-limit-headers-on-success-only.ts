import { headerOf, isSuccess, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

const headers = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

export const rule: Rule = {
  description: "Successful answers, and only those, are promised the rate-limit headers.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of responses(document))
      for (const name of headers) {
        const header = headerOf(document, answer, name);
        if (isSuccess(answer.status) && header?.value.required !== true)
          yield {
            path: answer.path,
            message: `Add the header ${name} with required: true to ${answer.name}.`,
          };
        if (!isSuccess(answer.status) && header !== undefined)
          yield {
            path: [...answer.path, "headers"],
            message: `Remove the header ${name} from ${answer.name}: it is promised on success only.`,
          };
      }
  },
};
