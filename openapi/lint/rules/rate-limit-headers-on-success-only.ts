import { headerOf, isSuccess, responses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

const headers = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

export const rule = ruleForEach(responses, {
  description: "Successful responses have the rate-limit headers; others do not.",
  *check(response, document) {
    for (const name of headers) {
      const header = headerOf(document, response, name);
      if (isSuccess(response.status) && header?.value.required !== true)
        yield `Add the header ${name} with required: true to ${response.name}.`;
      if (!isSuccess(response.status) && header !== undefined)
        yield {
          path: [...response.path, "headers"],
          message: `Remove the header ${name} from ${response.name}: only successful responses have it.`,
        };
    }
  },
});
