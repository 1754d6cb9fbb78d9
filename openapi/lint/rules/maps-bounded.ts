import { schemas } from "../../../scripts/document/schemas.ts";
import { isNode } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Every object with arbitrary property names has maxProperties.",
  *check({ schema, name }) {
    const open = isNode(schema.additionalProperties) || isNode(schema.patternProperties);
    if (open && schema.maxProperties === undefined)
      yield `Add maxProperties to ${name}, with x-technical-limit: true if the service specifies no limit.`;
  },
});
