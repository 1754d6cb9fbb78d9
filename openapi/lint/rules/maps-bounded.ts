import { schemas } from "../../../scripts/document/schemas.ts";
import { isNode } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every object with arbitrary property names has maxProperties.",
  *check(document) {
    for (const { path, schema, name } of schemas(document)) {
      const open = isNode(schema.additionalProperties) || isNode(schema.patternProperties);
      if (open && schema.maxProperties === undefined)
        yield {
          path,
          message: `Add maxProperties to ${name}, with x-technical-limit: true if the service specifies no limit.`,
        };
    }
  },
};
