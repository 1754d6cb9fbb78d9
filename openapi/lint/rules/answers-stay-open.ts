import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Objects in answers take further fields: more may come within the version.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, schema, name, uses } of schemas(document))
      for (const keyword of ["additionalProperties", "unevaluatedProperties"])
        if (schema[keyword] === false && !(uses.has("request") && !uses.has("answer")))
          yield {
            path: [...path, keyword],
            message: `Remove ${keyword} from ${name}: answers may get more fields at any time.`,
          };
  },
};
