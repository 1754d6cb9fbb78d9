import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description:
    "Objects in requests do not reject unknown properties: what the service does with them is unspecified.",
  *check({ path, schema, name, uses }) {
    for (const keyword of ["additionalProperties", "unevaluatedProperties"])
      if (schema[keyword] === false && uses.has("request"))
        yield {
          path: [...path, keyword],
          message: `Remove ${keyword} from ${name}: what the service does with unknown properties is unspecified.`,
        };
  },
});
