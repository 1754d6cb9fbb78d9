import { errorTypeOf, examplesOf } from "../../../scripts/document/media-types.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "The first example of a 422 is invalid_request, which mocks return for an invalid request.",
  *check({ path, response, status, name }, document) {
    if (status !== "422") return;
    for (const [type, media] of entriesOf(response.content)) {
      const place = [...path, "content", type];
      const [first] = examplesOf(document, place, media);
      if (first !== undefined && errorTypeOf(first.example) !== "invalid_request")
        yield {
          path: [...place, "examples"],
          message: `Move an example with error.type invalid_request to the first place in ${name}.`,
        };
    }
  },
});
