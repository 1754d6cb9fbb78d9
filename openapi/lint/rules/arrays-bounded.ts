import { schemas } from "../../../scripts/document/schemas.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Every array has maxItems and items.",
  *check({ schema, name, condition }) {
    if (condition || !textsOf(schema.type).includes("array")) return;
    if (schema.maxItems === undefined)
      yield `Add maxItems to ${name}, with x-technical-limit: true if the service specifies no limit.`;
    if (schema.items === undefined) yield `Add items to ${name}: specify what the array has.`;
  },
});
