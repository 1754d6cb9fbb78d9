import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "A link has no requestBody: OpenAPI Generator rejects a document in which it is an object.",
  *check({ path, response, name }, document) {
    for (const [link, value] of entriesOf(response.links)) {
      const place = follow(document, [...path, "links", link], value);
      if (place.value.requestBody !== undefined)
        yield {
          path: [...place.path, "requestBody"],
          message: `Remove requestBody from the link ${link} of ${name}, and describe the body in its description.`,
        };
    }
  },
});
