import { responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "A 500 response may have an empty body; no other response may.",
  *check(document) {
    for (const { path, response, status, name } of responses(document)) {
      if (status === "500" && response["x-empty-body"] !== true)
        yield { path, message: `Add x-empty-body: true to ${name}: a 500 may come without the error body.` };
      if (status !== "500" && response["x-empty-body"] !== undefined)
        yield {
          path,
          message: `Remove x-empty-body from ${name}: only a 500 may come without the error body.`,
        };
    }
  },
};
