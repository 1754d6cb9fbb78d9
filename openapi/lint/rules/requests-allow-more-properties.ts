import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description:
    "Objects in requests do not reject unknown properties: what the service does with them is unspecified.",
  *check(document) {
    for (const { path, schema, name, uses } of schemas(document))
      for (const keyword of ["additionalProperties", "unevaluatedProperties"])
        if (schema[keyword] === false && uses.has("request"))
          yield {
            path: [...path, keyword],
            message: `Remove ${keyword} from ${name}: what the service does with unknown properties is unspecified.`,
          };
  },
};
