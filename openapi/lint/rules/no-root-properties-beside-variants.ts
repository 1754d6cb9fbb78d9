import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "A schema has variants or properties, not both: several renderers would drop the properties.",
  *check({ schema, name, condition }) {
    for (const keyword of ["oneOf", "anyOf"])
      if (!condition && schema.properties !== undefined && schema[keyword] !== undefined)
        yield `Move the properties of ${name} into each schema of its ${keyword}.`;
  },
});
