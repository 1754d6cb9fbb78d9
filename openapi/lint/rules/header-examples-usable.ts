import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "The example of a header is one value, and none that a mock takes for a missing header.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, response: answer } of responses(document))
      for (const [name, value] of entriesOf(answer.headers)) {
        const header = follow(document, [...path, "headers", name], value);
        const { example } = header.value;
        if (example !== undefined && (!example || typeof example === "object"))
          yield {
            path: header.path,
            message: `Give the header ${name} a text or a number other than 0 as its example.`,
          };
      }
  },
};
