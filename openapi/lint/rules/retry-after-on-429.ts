import { rowsFor } from "../../../scripts/document/error-rows.ts";
import { headerOf, listedResponses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

/** `Retry-After` is promised with `rate_limited`; whether a refused send carries it is not specified. */
export const rule: Rule = {
  description:
    "A 429, and no other answer, has Retry-After, required where every type it can have promises it.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const answer of listedResponses(document)) {
      const header = headerOf(document, answer, "Retry-After");
      const { path, name, status, operation } = answer;
      if (status !== "429") {
        if (header !== undefined)
          yield {
            path: [...path, "headers"],
            message: `Remove the header Retry-After from ${name}: it belongs to 429.`,
          };
        continue;
      }
      if (header === undefined) {
        yield { path, message: `Add the header Retry-After to ${name}.` };
        continue;
      }
      const required = rowsFor(document, operation?.id, status).every(({ type }) => type === "rate_limited");
      if (header.value.required !== required)
        yield {
          path: [...path, "headers"],
          message: required
            ? `Use a Retry-After with required: true on ${name}: its only type, rate_limited, promises it.`
            : `Use a Retry-After with required: false on ${name}: only its type rate_limited promises it.`,
        };
    }
  },
};
