import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "The example of a header is a single value that mocks do not take for a missing header.",
  *check({ path, response }, document) {
    for (const [name, value] of entriesOf(response.headers)) {
      const header = follow(document, [...path, "headers", name], value);
      const { example } = header.value;
      if (example !== undefined && (!example || typeof example === "object"))
        yield {
          path: header.path,
          message: `Set the example of the header ${name} to a non-empty string or a number other than 0.`,
        };
    }
  },
});
