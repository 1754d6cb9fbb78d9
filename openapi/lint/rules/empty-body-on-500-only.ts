import { responses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "A 500 response may have an empty body; no other response may.",
  *check({ response, status, name }) {
    if (status === "500" && response["x-empty-body"] !== true)
      yield `Add x-empty-body: true to ${name}: a 500 may come without the error body.`;
    if (status !== "500" && response["x-empty-body"] !== undefined)
      yield `Remove x-empty-body from ${name}: only a 500 may come without the error body.`;
  },
});
