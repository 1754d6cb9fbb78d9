import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Property names are snake_case.",
  *check({ property, name }) {
    if (property !== undefined && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(property))
      yield `Change the name of ${name} to snake_case.`;
  },
});
