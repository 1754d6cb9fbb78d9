import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(responses, {
  description: "Every response header has required, true or false.",
  *check({ path, response, name: owner }, document) {
    for (const [name, value] of entriesOf(response.headers)) {
      const header = follow(document, [...path, "headers", name], value);
      const place = header.path[0] === "components" ? `${header.path[2]}` : `${name} of ${owner}`;
      if (typeof header.value.required !== "boolean")
        yield {
          path: header.path,
          message: `Set required on the header ${place}.`,
        };
    }
  },
});
