import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description:
    "A date-time has no pattern and no length: clients in several languages apply them to a parsed time and fail.",
  *check({ path, schema, name }) {
    if (schema.format !== "date-time") return;
    for (const keyword of ["pattern", "minLength", "maxLength"])
      if (schema[keyword] !== undefined)
        yield {
          path: [...path, keyword],
          message: `Remove ${keyword} from ${name}: format: date-time and x-utc-offset say all.`,
        };
  },
});
