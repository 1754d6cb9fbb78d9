import { headerOf, isSuccess, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

const headers = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

export const rule: Rule = {
  description: "Successful responses have the rate-limit headers; others do not.",
  *check(document) {
    for (const response of responses(document))
      for (const name of headers) {
        const header = headerOf(document, response, name);
        if (isSuccess(response.status) && header?.value.required !== true)
          yield {
            path: response.path,
            message: `Add the header ${name} with required: true to ${response.name}.`,
          };
        if (!isSuccess(response.status) && header !== undefined)
          yield {
            path: [...response.path, "headers"],
            message: `Remove the header ${name} from ${response.name}: only successful responses have it.`,
          };
      }
  },
};
