import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "A schema has variants or properties, not both: several renderers would drop the properties.",
  *check(document) {
    for (const { path, schema, name, condition } of schemas(document))
      for (const keyword of ["oneOf", "anyOf"])
        if (!condition && schema.properties !== undefined && schema[keyword] !== undefined)
          yield { path, message: `Move the properties of ${name} into each schema of its ${keyword}.` };
  },
};
