import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Objects in responses allow more properties, which may be added within the version.",
  *check(document) {
    for (const { path, schema, name, uses } of schemas(document))
      for (const keyword of ["additionalProperties", "unevaluatedProperties"])
        if (schema[keyword] === false && !(uses.has("request") && !uses.has("response")))
          yield {
            path: [...path, keyword],
            message: `Remove ${keyword} from ${name}: responses may have more properties at any time.`,
          };
  },
};
