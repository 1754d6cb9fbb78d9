import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "Every response has a body with an example.",
  *check({ path, response, name }) {
    const media = entriesOf(response.content);
    if (media.length === 0) yield `Add application/json content to ${name}.`;
    for (const [type, { examples }] of media)
      if (entriesOf(examples).length === 0)
        yield { path: [...path, "content", type], message: `Add a named example to ${name}.` };
  },
});
