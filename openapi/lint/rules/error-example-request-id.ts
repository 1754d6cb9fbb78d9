import { errorExamples } from "../../../scripts/document/errors.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { headerOf } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(errorExamples, {
  description: "The request id in an error example is the one in the example of its header.",
  *check({ response, name, example }, document) {
    const shown = headerOf(document, response, "X-Service-Request-Id")?.value.example;
    const written = valueAt(example, ["value", "error", "request_id"]);
    if (shown !== undefined && written !== shown)
      yield `Set error.request_id of the example ${name} to ${JSON.stringify(shown)}, the example of X-Service-Request-Id.`;
  },
});
