import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Each header of an answer says whether it always comes.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, response: answer, name: owner } of responses(document))
      for (const [name, value] of entriesOf(answer.headers)) {
        const header = follow(document, [...path, "headers", name], value);
        const place = header.path[0] === "components" ? `${header.path[2]}` : `${name} of ${owner}`;
        if (typeof header.value.required !== "boolean")
          yield {
            path: header.path,
            message: `Write required: true or required: false on the header ${place}, as it always comes or not.`,
          };
      }
  },
};
