import { rowsFor } from "../../../scripts/document/errors.ts";
import { headerOf, listedResponses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

/** `rate_limited` requires `Retry-After`; whether `send_rejected` has it is unspecified. */
export const rule = ruleForEach(listedResponses, {
  description:
    "A 429 response has Retry-After, required if every type of it has one; no other response has it.",
  *check(response, document) {
    const header = headerOf(document, response, "Retry-After");
    const { path, name, status, operation } = response;
    if (status !== "429") {
      if (header !== undefined)
        yield {
          path: [...path, "headers"],
          message: `Remove the header Retry-After from ${name}: only a 429 has it.`,
        };
      return;
    }
    if (header === undefined) {
      yield { path, message: `Add the header Retry-After to ${name}.` };
      return;
    }
    const required = rowsFor(document, operation?.id, status).every(({ type }) => type === "rate_limited");
    if (header.value.required !== required)
      yield {
        path: [...path, "headers"],
        message: required
          ? `Use a Retry-After with required: true on ${name}: its only type, rate_limited, requires it.`
          : `Use a Retry-After with required: false on ${name}: only its type rate_limited requires it.`,
      };
  },
});
