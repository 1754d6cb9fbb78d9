import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Objects in responses allow more properties, which may be added within the version.",
  *check({ path, schema, name, uses }) {
    for (const keyword of ["additionalProperties", "unevaluatedProperties"])
      if (schema[keyword] === false && !(uses.has("request") && !uses.has("response")))
        yield {
          path: [...path, keyword],
          message: `Remove ${keyword} from ${name}: responses may have more properties at any time.`,
        };
  },
});
