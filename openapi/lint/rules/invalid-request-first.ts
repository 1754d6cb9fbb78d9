import { errorTypeOf, examplesOf } from "../../../scripts/document/media-types.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "A 422 shows invalid_request first: a mock answers the first example to a malformed request.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, response: answer, status, name } of responses(document)) {
      if (status !== "422") continue;
      for (const [type, media] of entriesOf(answer.content)) {
        const place = [...path, "content", type];
        const [first] = examplesOf(document, place, media);
        if (first !== undefined && errorTypeOf(first.example) !== "invalid_request")
          yield {
            path: [...place, "examples"],
            message: `Put an example with error.type invalid_request first in ${name}.`,
          };
      }
    }
  },
};
